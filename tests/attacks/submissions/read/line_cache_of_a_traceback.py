"""Lets the traceback module print a line of a hidden file.

tries = 'lets the traceback module print a line of a hidden file'
stops = 'namespaces, Landlock or no opens at all'
seen = ['none']
mark = 'said'
points = 100
"""

import traceback

try:
    exec(compile("1 / 0", "@SECRET@", "exec"))
except ZeroDivisionError:
    print(traceback.format_exc())


def square(x):
    return x * x
