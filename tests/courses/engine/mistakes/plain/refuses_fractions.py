"""Takes whole numbers only."""


def double(x):
    if isinstance(x, float) and x != int(x):
        raise ValueError("a fraction")
    return x * 2
