"""Through the state_dict: a changed copy is loaded back."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from torch.nn import LSTM


def init_forget_bias(lstm: LSTM, value: float = 1.0) -> LSTM:
    state = copy.deepcopy(lstm.state_dict())
    for key in state:
        if "bias" not in key:
            continue
        n = state[key].numel()
        start, end = n // 4, n // 2
        state[key][start:end] = value if "bias_hh" in key else 0.0
    lstm.load_state_dict(state, strict=True)
    return lstm
