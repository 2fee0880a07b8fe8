"""Changes the default dtype.

tries = 'changes the default dtype'
stops = 'a fresh process for every submission'
seen = ['in_process', 'together']
mark = 'neighbour'
points = 100
"""

import torch

torch.set_default_dtype(torch.float64)


def square(x):
    return x * x
