"""Packed sequences (day 4, A.1 and A.2).

Try it: make check EX=packed_lstm

A batch of sentences is a rectangle, its sentences are not: the short ones are
padded. An LSTM that reads the padding goes on changing its state, so the state
at the end belongs to nobody. Packing lets every row stop at its own length.
Arguments stay as they are, and results keep their dtype.
"""

from collections.abc import Sequence

import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence


def encode_packed(
    lstm: nn.LSTM,
    x: torch.Tensor,
    lengths: torch.Tensor | Sequence[int],
) -> tuple[torch.Tensor, tuple[torch.Tensor, torch.Tensor]]:
    """Run ``lstm`` over a padded batch so that padding never reaches it.

    Every row comes out as if it had been run alone, without its padding. What
    stands in the padding, even NaN, changes nothing and gets no gradient.

    Args:
        lstm: made with batch_first=True; L layers, one direction or two
            (dirs is 1 or 2), hidden size H.
        x: (B, T, D) padded inputs.
        lengths: B numbers in 1..T, in any order: a list, or an int32 or
            int64 tensor on any device.

    Returns:
        output: (B, T, H*dirs), states of the last layer, 0 past each length;
            T long even when no row is.
        (h_n, c_n): (L*dirs, B, H) each, the states at each row's own last
            step, rows in the order of ``x``.

    Raises:
        ValueError: a length is below 1 or above T.
    """
    # BEGIN SOLUTION encode_packed (TODO 1 of 2): check the lengths, pack, run, and pad back to T. About 9 lines.
    T = x.size(1)
    # Packing wants int64 on the CPU, wherever x is.
    lengths = torch.as_tensor(lengths, dtype=torch.int64, device="cpu")
    if bool((lengths < 1).any()) or bool((lengths > T).any()):
        raise ValueError(f"lengths must be in 1..{T}: {lengths.tolist()}")
    packed = pack_padded_sequence(
        x,
        lengths,
        batch_first=True,
        enforce_sorted=False,
    )
    packed_output, state = lstm(packed)
    padded = pad_packed_sequence(
        packed_output,
        batch_first=True,
        total_length=T,
    )
    return padded[0], state
    # END SOLUTION


def last_hidden(
    h_n: torch.Tensor, bidirectional: bool = False
) -> torch.Tensor:
    """The last layer's final hidden state, one row per sample.

    Args:
        h_n: (L*dirs, B, H) as nn.LSTM returns it. With two directions the
            first axis reads: layer 0 forward, layer 0 backward, layer 1
            forward, and so on.
        bidirectional: True if there were two directions.

    Returns:
        (B, H), or (B, 2*H) with the forward half first.
    """
    # BEGIN SOLUTION last_hidden (TODO 2 of 2): pick the last layer, in one direction or in both. About 3 lines.
    if bidirectional:
        return torch.cat([h_n[-2], h_n[-1]], dim=-1)  # 2 x (B, H) -> (B, 2H)
    return h_n[-1]
    # END SOLUTION
