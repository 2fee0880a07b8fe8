"""Fills the whole bias vectors; bias_hh is left as it was."""

import torch


def init_forget_bias(lstm, value=1.0):
    for name, p in lstm.named_parameters():
        if name.startswith("bias_ih"):
            n = p.size(0) // 4
            with torch.no_grad():
                p[:].fill_(value)
