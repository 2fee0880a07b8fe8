"""Exercise 1: twice as much."""


def double(x):
    """Twice ``x``."""
    # BEGIN SOLUTION double (TODO 1 of 1): add or multiply. 1 line.
    return 2 * x
    # END SOLUTION
