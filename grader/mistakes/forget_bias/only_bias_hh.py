"""Sets bias_hh and leaves whatever is in bias_ih."""

import torch


def init_forget_bias(lstm, value=1.0):
    with torch.no_grad():
        for name, p in lstm.named_parameters():
            if name.startswith("bias_hh"):
                n = p.size(0) // 4
                p[n : 2 * n] = value
