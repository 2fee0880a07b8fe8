"""Divides by zero where a centre has no points."""

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
    moved = centres.copy()
    for k in range(len(centres)):
        mine = points[labels == k]
        moved[k] = mine.sum(axis=0) / np.float64(len(mine))
    return moved
