"""Lets the C library open a hidden file.

tries = 'lets the C library open a hidden file'
stops = 'namespaces, Landlock or no opens at all'
seen = ['none']
mark = 'said'
points = 100
"""

import ctypes

libc = ctypes.CDLL(None)
libc.fopen.restype = ctypes.c_void_p
file = libc.fopen(b"@SECRET@", b"r")
if file:
    buffer = ctypes.create_string_buffer(100)
    libc.fread(buffer, 1, 99, ctypes.c_void_p(file))
    print(buffer.value)


def square(x):
    return x * x
