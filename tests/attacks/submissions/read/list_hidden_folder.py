"""Lists the folder of the hidden files.

tries = 'lists the folder of the hidden files'
stops = 'namespaces, Landlock or no opens at all'
seen = ['none']
mark = 'said'
points = 100
"""

import os

try:
    print(os.listdir("@FOLDER@/names"))
except OSError as e:
    print("stopped", type(e).__name__)


def square(x):
    return x * x
