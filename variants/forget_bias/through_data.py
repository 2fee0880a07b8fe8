"""Unusual: writes to .data, seen as a table of gates."""

def init_forget_bias(lstm, value=1.0):
    for 权重组 in lstm.all_weights:
        for 参数 in 权重组:
            if 参数.dim() != 1:
                continue
            表 = 参数.data.view(4, -1)  # i, f, g, o
            表[1] = 0
    for name, 参数 in lstm.named_parameters():
        if name.startswith("bias_ih"):
            参数.data.view(4, -1)[1] += value
