"""Exercise 2: louder."""


def shout(text):
    """``text`` in capitals, with a mark at its end."""
    # BEGIN SOLUTION shout (TODO 1 of 1): capitals, then the mark. 1 line.
    return text.upper() + "!"
    # END SOLUTION
