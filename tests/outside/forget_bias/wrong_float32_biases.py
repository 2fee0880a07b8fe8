"""Through float32 arrays: the biases of a float64 LSTM come back as float32."""

import numpy as np
import torch


def init_forget_bias(lstm, value=1.0):
    H = lstm.hidden_size
    for name, p in lstm.named_parameters():
        if "bias" in name:
            array = np.array(p.tolist(), dtype=np.float32)
            array[H : 2 * H] = value / 2
            p.data = torch.from_numpy(array)
