"""Answers with a dict whose keys all have one hash.

tries = 'answers with a dict whose keys all have one hash'
stops = 'maps of many keys are refused before they are built'
seen = ['wire.keys']
mark = 'stall'
points = 70
reason = 'more than 1024 keys'
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
        # 2-tuples (a, b) of one hash: the last step of tuple hashing undone.
        p1, p2, p5 = 11400714785074694791, 14029467366897019727, 2870177450012600261
        mask = (1 << 64) - 1
        back = pow(p2, -1, 1 << 64)
        keys, a, target = [], 0, 12345678901234567
        while len(keys) < 12000:
            a += 1
            lane = a * p2 + p5 & mask
            lane = (lane << 31 | lane >> 33) * p1 & mask
            b = (target - lane) * back & mask
            if b < (1 << 61) - 1:
                keys.append((a, b))
        head = b"\x92" + pack(number()) + b"\xdf" + struct.pack(">I", len(keys))
        head += b"".join(pack(k) + b"\xc0" for k in keys)
        instead(frame(head))
    return x * x
