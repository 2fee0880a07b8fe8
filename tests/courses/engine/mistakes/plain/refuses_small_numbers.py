"""Takes numbers from 1 on."""


def double(x):
    if not isinstance(x, list) and x < 1:
        raise ValueError(x)
    return x * 2
