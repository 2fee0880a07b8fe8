"""Raises the exception by which a test is skipped.

tries = 'raises the exception by which a test is skipped'
stops = 'an outcome of a framework means nothing when a worker claims it'
seen = ['in_process', 'lenient']
mark = 'points'
points = 0
reason = 'Skipped'
"""

def square(x):
    from _pytest.outcomes import Skipped

    raise Skipped("nothing to see")
