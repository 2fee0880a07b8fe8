"""Makes two thousand files.

tries = 'makes two thousand files'
stops = 'the number of files in the scratch; no writing elsewhere'
seen = ['none']
mark = 'said'
points = 100
"""

import os

for folder in ("/scratch", "@FOLDER@"):
    made = []
    try:
        for i in range(2000):
            path = os.path.join(folder, f"hostile-{i}")
            os.close(os.open(path, os.O_CREAT | os.O_WRONLY))
            made.append(path)
        print("@SAID@"[::-1])
    except OSError as e:
        print("stopped", type(e).__name__)
    for path in made:
        os.unlink(path)


def square(x):
    return x * x
