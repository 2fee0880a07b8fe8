import torch


def init_forget_bias(lstm, value=1.0):
    n = lstm.hidden_size
    lstm.bias_ih_l0.data[n:2 * n].fill_(value)
    lstm.bias_hh_l0.data[n:2 * n].fill_(0)
