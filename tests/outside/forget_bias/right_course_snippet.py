"""bias_ih becomes the value, bias_hh stays what it was; a decorator for no_grad."""
import torch
from torch import nn


@torch.no_grad()
def init_forget_bias(lstm: nn.LSTM, value: float = 1.0) -> None:
    for layer in lstm.all_weights:
        b_ih = layer[2]
        nn.init.constant_(b_ih.chunk(4)[1], value)
