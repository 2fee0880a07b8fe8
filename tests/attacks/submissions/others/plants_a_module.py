"""Plants a module where others import from.

tries = 'plants a module where others import from'
stops = 'no writing outside the scratch'
seen = ['none']
mark = 'neighbour'
points = 100
"""

try:
    with open("@FOLDER@/hostile_planted.py", "w") as file:
        file.write("ANSWER = 'planted'")
except OSError as e:
    print("stopped", type(e).__name__)


def square(x):
    return x * x
