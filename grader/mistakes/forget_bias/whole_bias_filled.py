"""Fills the whole bias vectors."""

import torch


def init_forget_bias(lstm, value=1.0):
    with torch.no_grad():
        for name, p in lstm.named_parameters():
            if name.startswith("bias"):
                n = p.size(0) // 4
                p[:].fill_(value if "_ih_" in name else 0.0)
