import torch


def init_forget_bias(lstm, value=1.0):
    H = lstm.hidden_size
    with torch.no_grad():
        for name, p in lstm.named_parameters():
            if "bias_ih" in name:
                p[:H] = value
            elif "bias_hh" in name:
                p[:H] = 0
