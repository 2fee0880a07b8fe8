import torch


def init_forget_bias(lstm, value=1.0):
    for name, param in lstm.named_parameters():
        if "bias" in name:
            n = param.size(0)
            param.data[n // 4:n // 2].fill_(value)
