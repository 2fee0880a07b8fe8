"""Unusual: edits a state_dict and loads it; returns the LSTM."""

import torch


def init_forget_bias(lstm, value: float = 1.0):
    state = {k: v.clone() for k, v in lstm.state_dict().items()}
    for key in state:
        if key.startswith("bias_"):
            i, f, g, o = state[key].split(state[key].numel() // 4)
            f = torch.full_like(f, value if "ih" in key else 0)
            state[key] = torch.cat([i, f, g, o])
    lstm.load_state_dict(state)
    return lstm
