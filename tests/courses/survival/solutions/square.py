"""Every number times itself."""


def square(x):
    return x * x
