"""Squares, and breaks on what has no square."""


def double(x):
    return x**2
