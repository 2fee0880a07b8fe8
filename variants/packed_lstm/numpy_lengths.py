"""Unusual: looks at the lengths with numpy, and builds a class to hold the parts."""

import numpy as np
import torch
from torch import nn
from torch.nn.utils.rnn import PackedSequence, pack_padded_sequence, pad_packed_sequence


class Packer:
    def __init__(self, lengths, total):
        self.lengths = np.asarray(lengths, dtype=np.int64)
        self.total = total
        if not np.all((1 <= self.lengths) & (self.lengths <= total)):
            raise ValueError("a length is out of range")

    def pack(self, x: torch.Tensor) -> PackedSequence:
        return pack_padded_sequence(
            x, torch.from_numpy(self.lengths), batch_first=True, enforce_sorted=False
        )

    def unpack(self, packed):
        return pad_packed_sequence(packed, True, 0.0, self.total)[0]


def encode_packed(lstm: nn.LSTM, x, lengths):
    packer = Packer(lengths, x.size(1))
    packed, (h_n, c_n) = lstm(packer.pack(x))
    return packer.unpack(packed), (h_n, c_n)


def last_hidden(h_n, bidirectional=False):
    if bidirectional:
        forward, backward = h_n[-2:]
        return torch.stack([forward, backward], dim=1).flatten(start_dim=1)
    *_, top = h_n
    return top


if __name__ == "__main__":
    print(encode_packed(nn.LSTM(2, 3, batch_first=True), torch.ones(1, 2, 2), [1]))
