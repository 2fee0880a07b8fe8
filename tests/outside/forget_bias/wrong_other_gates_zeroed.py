"""As Keras does it: the other gates' biases become 0."""

import torch


@torch.no_grad()
def init_forget_bias(lstm, value=1.0):
    H = lstm.hidden_size
    for name, p in lstm.named_parameters():
        if "bias" in name:
            p.zero_()
        if "bias_ih" in name:
            p[H : 2 * H] = value
