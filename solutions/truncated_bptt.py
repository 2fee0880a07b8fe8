"""Truncated BPTT (day 4, A.3 and A.6).

Try it: make check EX=truncated_bptt

Backpropagation through a sequence of 10 000 steps does not fit in memory.
Truncated BPTT cuts it into chunks: the state goes on from chunk to chunk, the
graph does not, and every chunk ends with a step of the optimizer.
What stands in states, inputs and targets is not changed.
"""

from collections.abc import Callable
from typing import Any

import torch
from torch import nn


def detach_hidden(hidden: Any) -> Any:
    """The same state, cut off from the graph that computed it.

    Args:
        hidden: None, a tensor (RNN, GRU), a tuple of tensors (LSTM), or
            tuples of these in each other.

    Returns:
        The same structure with the same numbers and no history.
    """
    # BEGIN SOLUTION detach_hidden (TODO 1 of 2): tell the kinds of hidden apart; one of them contains the others. About 5 lines.
    if hidden is None:
        return None
    if isinstance(hidden, torch.Tensor):
        return hidden.detach()
    return tuple(detach_hidden(part) for part in hidden)
    # END SOLUTION


def train_truncated_bptt(
    model: nn.Module,
    inputs: torch.Tensor,
    targets: torch.Tensor,
    criterion: Callable[[torch.Tensor, torch.Tensor], torch.Tensor],
    optimizer: torch.optim.Optimizer,
    chunk_len: int,
    max_norm: float | None = None,
) -> list[float]:
    """Train ``model`` once over the sequences, chunk by chunk.

    The first chunk starts from hidden = None, each later one from the numbers
    that the one before ended with. Each chunk is one step of the optimizer,
    on the gradient of this chunk's loss alone.

    Args:
        model: ``model(x, hidden) -> (output, hidden)`` for x (B, t, D); the
            output is (B, t, ...).
        inputs: (B, T, D).
        targets: (B, T, ...), cut along the same axis as ``inputs``.
        criterion: ``criterion(output, targets)`` -> loss, a 0-d tensor.
        optimizer: holds all parameters of ``model``.
        chunk_len: steps in a chunk; the last chunk has what is left, and
            with chunk_len >= T it is the only one.
        max_norm: the longest gradient, all parameters taken together, that a
            step may use; a longer one is scaled down to this norm (0 is a
            limit, too). None: no limit.

    Returns:
        One float per chunk: its loss before its step.

    Raises:
        ValueError: chunk_len is below 1.
    """
    # BEGIN SOLUTION train_truncated_bptt (TODO 2 of 2): loop over chunks: forward, loss, zero_grad, backward, clip, step, and keep the loss. About 14 lines.
    if chunk_len < 1:
        raise ValueError(f"chunk_len must be at least 1, not {chunk_len}")
    hidden = None
    losses = []
    for start in range(0, inputs.size(1), chunk_len):
        chunk = slice(start, start + chunk_len)
        output, hidden = model(inputs[:, chunk], detach_hidden(hidden))
        loss = criterion(output, targets[:, chunk])
        optimizer.zero_grad()
        loss.backward()
        if max_norm is not None:
            nn.utils.clip_grad_norm_(model.parameters(), max_norm)
        optimizer.step()
        losses.append(loss.item())
    return losses
    # END SOLUTION
