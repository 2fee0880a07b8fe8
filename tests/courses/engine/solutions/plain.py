"""Twice its argument."""


def double(x):
    """Twice ``x``."""
    # BEGIN SOLUTION double (TODO 1 of 1): what it says. About 1 line.
    return 2 * x
    # END SOLUTION
