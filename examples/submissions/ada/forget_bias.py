import torch


def init_forget_bias(lstm, value=1.0):
    H = lstm.hidden_size
    with torch.no_grad():
        for name, p in lstm.named_parameters():
            if name.startswith("bias_ih"):
                p[H:2 * H] = value
            elif name.startswith("bias_hh"):
                p[H:2 * H] = 0.0
