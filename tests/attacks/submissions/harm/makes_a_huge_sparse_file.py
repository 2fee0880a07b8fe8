"""Makes a file of one gigabyte without content.

tries = 'makes a file of one gigabyte without content'
stops = 'the limit on file size'
seen = ['none']
mark = 'said'
points = 100
"""

import os
import tempfile

for folder in ("/scratch", "@FOLDER@"):
    try:
        with open(os.path.join(folder, "hostile-sparse"), "wb") as file:
            file.truncate(1 << 30)
        print("@SAID@"[::-1])
        os.unlink(os.path.join(folder, "hostile-sparse"))
    except OSError as e:
        print("stopped", type(e).__name__)


def square(x):
    return x * x
