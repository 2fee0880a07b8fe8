"""requires_grad is switched off to write, and never on again."""


def init_forget_bias(lstm, value=1.0):
    H = lstm.hidden_size
    for name, p in lstm.named_parameters():
        if "bias" in name:
            p.requires_grad_(False)
            p[H : 2 * H] = value if "bias_ih" in name else 0.0
