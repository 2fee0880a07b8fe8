"""Prints a whole result of its own and leaves.

tries = 'prints a whole result of its own and leaves'
stops = 'results are made by the trusted side; output is only shown'
seen = ['in_process']
mark = 'points'
points = 0
reason = 'exit code 0'
"""

import json
import os

RESULT = {
    "id": "1",
    "result": {
        "submission": "someone", "status": "graded", "score": "100",
        "max_score": "100", "exercises": {},
    },
}


def square(x):
    for fd in (1, 2):
        os.write(fd, json.dumps(RESULT).encode() + b"\n")
    os._exit(0)
