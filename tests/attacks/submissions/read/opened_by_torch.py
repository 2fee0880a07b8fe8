"""Lets the C++ of torch open a hidden file.

tries = 'lets the C++ of torch open a hidden file'
stops = 'namespaces, Landlock or no opens at all'
seen = ['none']
mark = 'said'
points = 100
"""

import torch

try:
    print(bytes(torch.from_file("@SECRET@", size=16, dtype=torch.uint8).tolist()))
except RuntimeError:
    print("stopped")


def square(x):
    return x * x
