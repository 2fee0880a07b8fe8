"""Takes the root: distances, not their squares."""

import numpy as np


def squared_distances(points, centres):
    """Squared distance of every point to every centre.

    Args:
        points: (N, D) float64.
        centres: (K, D) float64.

    Returns:
        (N, K) float64: sum over D of (point - centre)^2.
    """
    gaps = points[:, None, :] - centres[None, :, :]
    return np.sqrt((gaps**2).sum(axis=2))


def nearest(points, centres):
    """Number of the nearest centre of every point.

    Args:
        points: (N, D) float64.
        centres: (K, D) float64.

    Returns:
        (N,) integers in 0..K-1; of equally near centres the lowest number.
    """
    return squared_distances(points, centres).argmin(axis=1)
