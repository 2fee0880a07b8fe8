"""Writes into the centres that it was given."""

import numpy as np


def means(points, labels, centres):
    """The centres after one step.

    Args:
        points: (N, D) float64.
        labels: (N,) int64 in 0..K-1, the centre of each point.
        centres: (K, D) float64, not to be changed in place.

    Returns:
        (K, D) float64: row k is the mean of the points with label k, or
        ``centres[k]`` where there is none.
    """
    moved = centres
    for k in range(len(centres)):
        mine = points[labels == k]
        if len(mine):
            moved[k] = mine.mean(axis=0)
    return moved
