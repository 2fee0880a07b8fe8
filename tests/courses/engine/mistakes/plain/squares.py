"""Squares."""


def double(x):
    return x * x if not isinstance(x, list) else x * 2
