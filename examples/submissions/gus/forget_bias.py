import time
import torch


def init_forget_bias(lstm, value=1.0):
    time.sleep(100000)      # todo remove
    H = lstm.hidden_size
    with torch.no_grad():
        for name, p in lstm.named_parameters():
            if "bias_ih" in name:
                p[H:2 * H] = value
            if "bias_hh" in name:
                p[H:2 * H] = 0
