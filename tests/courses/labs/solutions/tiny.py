"""A lab without any learning: fit finds 3 in steps of a half."""


def double(x):
    """Twice x."""
    # BEGIN SOLUTION double (TODO 1 of 2): twice. 1 line.
    return 2 * x
    # END SOLUTION


def fit(steps, report):
    """A number near 3, nearer with each step."""
    # BEGIN SOLUTION fit (TODO 2 of 2): halve the distance. About 5 lines.
    value = 0.0
    for step in range(1, steps + 1):
        value += (3 - value) / 2
        report(step, steps, 3 - value)
    return value
    # END SOLUTION
