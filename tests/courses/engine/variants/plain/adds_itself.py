"""Adds the number to itself."""


def double(x):
    return x + x
