"""Plants bytecode for a module that others import.

tries = 'plants bytecode for a module that others import'
stops = 'no writing outside the scratch'
seen = ['none']
mark = 'neighbour'
points = 100
"""

import importlib.util
import marshal
import os
import struct

source = "@FOLDER@/hostile_known.py"
cached = "@FOLDER@/__pycache__/" + os.path.basename(importlib.util.cache_from_source(source))
try:
    facts = os.stat(source)
    header = importlib.util.MAGIC_NUMBER + struct.pack(
        "<III", 0, int(facts.st_mtime) & 0xFFFFFFFF, facts.st_size & 0xFFFFFFFF
    )
    os.makedirs(os.path.dirname(cached), exist_ok=True)
    with open(cached, "wb") as file:
        file.write(header + marshal.dumps(compile("ANSWER = 'poisoned'", source, "exec")))
except OSError as e:
    print("stopped", type(e).__name__)


def square(x):
    return x * x
