"""Unusual: pads to the longest row, then on to T by hand."""

import torch
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence


def encode_packed(lstm, x, lengths):
    """按长度打包，再补零到 T。"""
    总长 = x.size(1)
    长度 = torch.as_tensor(lengths).to("cpu", torch.int64)
    if ((长度 < 1) | (长度 > 总长)).any():
        raise ValueError(f"长度必须在 1 到 {总长} 之间")
    包 = pack_padded_sequence(x, 长度, batch_first=True, enforce_sorted=False)
    输出, (h, c) = lstm(包)
    输出, _ = pad_packed_sequence(输出, batch_first=True)
    缺 = 总长 - 输出.size(1)
    return torch.nn.functional.pad(输出, (0, 0, 0, 缺)), (h, c)


def last_hidden(h_n, bidirectional=False):
    # 最后一层：双向取两行
    k = 2 if bidirectional else 1
    return h_n[-k:].permute(1, 0, 2).flatten(1)
