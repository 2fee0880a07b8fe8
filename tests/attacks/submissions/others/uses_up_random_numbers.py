"""Draws random numbers, so that the next one gets others.

tries = 'draws random numbers, so that the next one gets others'
stops = 'a fresh process for every submission'
seen = ['in_process', 'together']
mark = 'neighbour'
points = 100
"""

import random

import torch

torch.rand(5)
random.seed(3)


def square(x):
    return x * x
