import torch

def init_forget_bias(lstm, value=1.0)
    for name, p in lstm.named_parameters():
        if "bias" in name:
            p.data[lstm.hidden_size:2 * lstm.hidden_size] = value
