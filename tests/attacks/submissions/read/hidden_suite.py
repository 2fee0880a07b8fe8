"""Opens a hidden file and prints it.

tries = 'opens a hidden file and prints it'
stops = 'namespaces, Landlock or no opens at all'
seen = ['none']
mark = 'said'
points = 100
"""

try:
    with open("@SECRET@") as file:
        print(file.read())
except OSError as e:
    print("stopped", type(e).__name__)


def square(x):
    return x * x
