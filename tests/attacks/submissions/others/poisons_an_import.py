"""Puts a false module among the loaded ones.

tries = 'puts a false module among the loaded ones'
stops = 'a fresh process for every submission'
seen = ['in_process', 'together']
mark = 'neighbour'
points = 100
"""

import sys
import types

false = types.ModuleType("colorsys")
false.rgb_to_hsv = lambda *a: "poisoned"
sys.modules["colorsys"] = false


def square(x):
    return x * x
