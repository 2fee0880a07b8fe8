"""Lets torch save a file beside the hidden ones.

tries = 'lets torch save a file beside the hidden ones'
stops = 'namespaces, Landlock, seccomp'
seen = ['none']
mark = 'file'
points = 100
"""

import torch

try:
    torch.save(torch.ones(2), "@MARK@")
except (OSError, RuntimeError) as e:
    print("stopped", type(e).__name__)


def square(x):
    return x * x
