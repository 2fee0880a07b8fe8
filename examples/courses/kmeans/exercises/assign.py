"""Exercise 1: Assign points to centres (k-means, step 1).

Each point goes to the centre that is nearest: argmin over k of |x - c_k|^2.
Try it: python -m grader check assign
"""

import numpy as np


def squared_distances(points, centres):
    """Squared distance of every point to every centre.

    Args:
        points: (N, D) float64.
        centres: (K, D) float64.

    Returns:
        (N, K) float64: sum over D of (point - centre)^2.
    """
    # TODO 1 of 2: broadcast points against centres, square, sum over D. About
    # 2 lines.
    raise NotImplementedError("squared_distances (TODO 1 of 2)")


def nearest(points, centres):
    """Number of the nearest centre of every point.

    Args:
        points: (N, D) float64.
        centres: (K, D) float64.

    Returns:
        (N,) integers in 0..K-1; of equally near centres the lowest number.
    """
    # TODO 2 of 2: the smallest of each row. 1 line.
    raise NotImplementedError("nearest (TODO 2 of 2)")
