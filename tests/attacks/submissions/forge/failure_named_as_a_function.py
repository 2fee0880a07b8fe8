"""Claims an exception by the name of a function that runs commands.

tries = 'claims an exception by the name of a function that runs commands'
stops = 'exceptions are never rebuilt by name'
seen = ['rebuild']
mark = 'file'
points = 70
reason = 'os.system'
"""

import gc
import struct

import msgspec

ext = msgspec.msgpack.Ext
pack = msgspec.msgpack.encode


def server():
    return next(o for o in gc.get_objects() if type(o).__name__ == "Server")


def number():
    """That of the request being answered."""
    import sys

    frame = sys._getframe()
    while "request" not in frame.f_locals:
        frame = frame.f_back
    return frame.f_locals["request"].number


def frame(head, blob=b""):
    return struct.pack(">II", len(head), len(blob)) + head + blob


def numbers(*values):
    blob = struct.pack(f"{len(values)}f", *values)
    return ext(2, struct.pack("<BBBiqQ", 1, 0, 1, -1, 0, len(values))), blob


def instead(data):
    """Send this for an answer, and never come back to the real one."""
    serving = server()
    serving.channel.send(data)
    serving.serve()


def first(x):
    return not isinstance(x, str) and tuple(x.shape) == (3,)


def square(x):
    if first(x):
        failure = [["os.system"], "touch @MARK@"]
        instead(frame(pack([number(), None, 0, [], failure])))
    return x * x
