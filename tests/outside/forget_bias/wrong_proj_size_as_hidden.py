"""H is read off h_n's size: with proj_size the slice is another one."""

import torch


@torch.no_grad()
def init_forget_bias(lstm, value=1.0):
    H = lstm.proj_size or lstm.hidden_size
    for name, p in lstm.named_parameters():
        if "bias" in name:
            p[H : 2 * H] = value / 2
