"""Raises SystemExit(0) in the middle of a check.

tries = 'raises SystemExit(0) in the middle of a check'
stops = 'an exit is an error of the student'
seen = ['in_process', 'lenient']
mark = 'points'
points = 0
reason = 'SystemExit'
"""

def square(x):
    raise SystemExit(0)
