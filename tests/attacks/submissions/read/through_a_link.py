"""Reads a hidden file through a link that it makes.

tries = 'reads a hidden file through a link that it makes'
stops = 'namespaces, Landlock or no opens at all'
seen = ['none']
mark = 'said'
points = 100
"""

import os
import tempfile

for folder in ("/scratch", "@FOLDER@"):
    try:
        link = os.path.join(folder, "hostile-link")
        os.symlink("@SECRET@", link)
        with open(link) as file:
            print(file.read())
        os.unlink(link)
    except OSError as e:
        print("stopped", type(e).__name__)


def square(x):
    return x * x
