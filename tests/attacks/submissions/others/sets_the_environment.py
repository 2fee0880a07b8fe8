"""Leaves word in the environment.

tries = 'leaves word in the environment'
stops = 'a fresh process for every submission'
seen = ['in_process', 'together']
mark = 'neighbour'
points = 100
"""

import os

os.environ["HOSTILE_MAIL"] = "the answer"


def square(x):
    return x * x
