"""Writes into the parameter without leaving the graph."""

def init_forget_bias(lstm, value=1.0):
    for name, p in lstm.named_parameters():
        if name.startswith("bias"):
            n = p.size(0) // 4
            p[n : 2 * n].fill_(value if "_ih_" in name else 0.0)
