"""Turns gradients off to write, and never on again; bias_hh is left as it was."""

def init_forget_bias(lstm, value=1.0):
    for name, p in lstm.named_parameters():
        if name.startswith("bias_ih"):
            n = p.size(0) // 4
            p.requires_grad = False
            p[n : 2 * n].fill_(value)
