"""The product of Jacobians behind vanishing gradients (day 4, 2.3 and 2.4).

Try it: make check EX=bptt_jacobian

For h_k = tanh(W h_{k-1} + x_k) one step has the Jacobian
dh_k/dh_{k-1} = diag(1 - h_k^2) W, and many steps multiply:
dh_t/dh_s = product over k = t, t-1, ..., s+1. The same W each time, so its
spectral radius decides: below 1 the product always vanishes, above 1 it
mostly explodes, and tanh brakes both. See it in numbers.
Arguments stay as they are, and results keep their dtype.
"""

import torch


def rescale_to_radius(w: torch.Tensor, radius: float) -> torch.Tensor:
    """Scale a matrix so that its spectral radius becomes ``radius``.

    The spectral radius is the largest absolute value of an eigenvalue, which
    may be complex. (It is not the largest singular value.)

    Args:
        w: (n, n) float, not nilpotent.
        radius: what the spectral radius of the result shall be.

    Returns:
        (n, n): w times one positive number.
    """
    # TODO 1 of 5: torch.linalg.eigvals, then one factor. About 2 lines.
    raise NotImplementedError("rescale_to_radius (TODO 1 of 5)")


def rnn_states(w: torch.Tensor, x: torch.Tensor) -> torch.Tensor:
    """The states of h_k = tanh(W h_{k-1} + x_k) from h_0 = 0.

    Args:
        w: (n, n).
        x: (T, n), one input for each step, added as it is.

    Returns:
        (T, n): h_1 to h_T.
    """
    # TODO 2 of 5: a loop over the rows of x. About 5 lines.
    raise NotImplementedError("rnn_states (TODO 2 of 5)")


def step_jacobian(h: torch.Tensor, w: torch.Tensor) -> torch.Tensor:
    """dh_k/dh_{k-1}, written with the state *after* the step.

    Args:
        h: (n,), h_k.
        w: (n, n).

    Returns:
        (n, n): entry (i, j) is d h_k[i] / d h_{k-1}[j].
    """
    # TODO 3 of 5: which side does diag(1 - h^2) stand on: does it scale rows
    # or columns? 1 line.
    raise NotImplementedError("step_jacobian (TODO 3 of 5)")


def jacobian_product(states: torch.Tensor, w: torch.Tensor) -> torch.Tensor:
    """dh_T/dh_0 from all the states after the start.

    Args:
        states: (T, n), h_1 to h_T; T may be 1.
        w: (n, n).

    Returns:
        (n, n), with the last step leftmost.
    """
    # TODO 4 of 5: multiply the steps in the order of the chain rule. About 4
    # lines.
    raise NotImplementedError("jacobian_product (TODO 4 of 5)")


def summarise(norms: torch.Tensor) -> dict[str, float]:
    """Statistics over many random draws, as a table shows them.

    One draw says little here: above radius 1 norms differ by many powers of
    ten. The median of an even number of values is the mean of the two in the
    middle (torch.median takes the lower one).

    Args:
        norms: (N,) positive numbers.

    Returns:
        A dict of floats (no tensors): "median", "min", "max", "exploded"
        (share of norms above 1e3) and "vanished" (share of norms below 1e-3).
    """
    # TODO 5 of 5: five numbers. About 7 lines.
    raise NotImplementedError("summarise (TODO 5 of 5)")
