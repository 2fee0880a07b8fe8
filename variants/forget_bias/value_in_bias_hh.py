"""Unusual: the value in bias_hh and 0 in bias_ih, layer by layer."""

from torch import nn


def init_forget_bias(lstm, value=1.0):
    H = lstm.hidden_size
    ends = [""] + (["_reverse"] if lstm.bidirectional else [])
    for layer in range(lstm.num_layers):
        for end in ends:
            ih = getattr(lstm, f"bias_ih_l{layer}{end}")
            hh = getattr(lstm, f"bias_hh_l{layer}{end}")
            nn.init.zeros_(ih.data[H : H * 2])
            nn.init.constant_(hh.data[H : H * 2], value)
