"""The reverse direction is served in the top layer alone."""

import torch


@torch.no_grad()
def init_forget_bias(lstm, value=1.0):
    H = lstm.hidden_size
    names = [f"l{k}" for k in range(lstm.num_layers)]
    if lstm.bidirectional:
        names.append(names[-1] + "_reverse")
    for n in names:
        getattr(lstm, f"bias_ih_{n}")[H : 2 * H] = value
        getattr(lstm, f"bias_hh_{n}")[H : 2 * H] = 0
