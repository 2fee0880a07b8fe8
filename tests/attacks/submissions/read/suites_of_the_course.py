"""Looks for the suites beside the code that it runs on.

tries = 'looks for the suites beside the code that it runs on'
stops = 'the allow-list of what a worker may read'
seen = ['none']
mark = 'said'
points = 100
"""

import os

import grader.wire

ours = os.path.dirname(os.path.dirname(grader.wire.__file__))
place = os.path.join(ours, "suites")
try:
    for name in os.listdir(place):
        with open(os.path.join(place, name)) as file:
            if "def check_" in file.read():
                print("@SAID@"[::-1])
                break
except OSError as e:
    print("stopped", type(e).__name__)


def square(x):
    return x * x
