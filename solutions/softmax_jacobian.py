"""The Jacobian of softmax, and lookup at a temperature (day 4, 5.3 and 5.5).

Try it: make check EX=softmax_jacobian

Attention is a lookup made soft, so that gradients pass. How well they pass
is the Jacobian of softmax, J = diag(p) - p p^T: near a one-hot p it is almost
the zero matrix, which is why large scores stop learning and why the scores
are divided by sqrt(d). And a temperature tau, softmax(scores / tau), leads
from an even mixture back to the hard lookup.
Arguments stay as they are, and results keep their dtype.
"""

import torch


def softmax_jacobian(p: torch.Tensor) -> torch.Tensor:
    """J = diag(p) - p p^T for every row of probabilities.

    Args:
        p: (..., n), the *result* of a softmax; any leading sizes, also none.

    Returns:
        (..., n, n): entry (i, j) is d p[i] / d score[j].
    """
    # BEGIN SOLUTION softmax_jacobian (TODO 1 of 3): torch.diag_embed and an outer product of each row. About 2 lines.
    return torch.diag_embed(p) - p.unsqueeze(-1) * p.unsqueeze(-2)
    # END SOLUTION


def softmax_backward(p: torch.Tensor, grad: torch.Tensor) -> torch.Tensor:
    """J^T grad without ever building J: what a backward pass computes.

    Args:
        p: (..., n) probabilities.
        grad: (..., n), dL/dp.

    Returns:
        (..., n), dL/dscore. Memory of size n a row, not n * n.
    """
    # BEGIN SOLUTION softmax_backward (TODO 2 of 3): multiply the formula of J out with grad. About 2 lines.
    inner = (p * grad).sum(dim=-1, keepdim=True)
    return p * (grad - inner)
    # END SOLUTION


def soft_lookup(
    scores: torch.Tensor, values: torch.Tensor, temperature: float = 1.0
) -> tuple[torch.Tensor, torch.Tensor]:
    """Read ``values`` with the weights softmax(scores / temperature).

    Args:
        scores: (..., T).
        values: (..., T, D).
        temperature: positive; towards 0 the best scored value is fetched
            alone, towards infinity all count the same.

    Returns:
        output: (..., D).
        weights: (..., T).

    Raises:
        ValueError: the temperature is not positive.
    """
    # BEGIN SOLUTION soft_lookup (TODO 3 of 3): check, weights, weighted sum over T. About 5 lines.
    if not temperature > 0:
        raise ValueError(f"temperature must be positive, not {temperature}")
    weights = torch.softmax(scores / temperature, dim=-1)
    # (..., 1, T) @ (..., T, D) -> (..., 1, D) -> (..., D)
    return (weights.unsqueeze(-2) @ values).squeeze(-2), weights
    # END SOLUTION
