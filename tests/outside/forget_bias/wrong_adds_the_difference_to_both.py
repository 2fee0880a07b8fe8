"""What is missing to the value is added to both vectors, not to one."""

import torch


@torch.no_grad()
def init_forget_bias(lstm, value=1.0):
    H = lstm.hidden_size
    for name, ih in lstm.named_parameters():
        if "bias_ih" in name:
            hh = getattr(lstm, name.replace("_ih_", "_hh_"))
            missing = value - (ih + hh)[H : 2 * H]
            ih[H : 2 * H] += missing
            hh[H : 2 * H] += missing
