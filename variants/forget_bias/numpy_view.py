"""Unusual: writes through numpy views of the parameters, with the gradient off for a while."""

import numpy as np

GATES = "ifgo"


def _forget(vector):
    return vector.reshape(len(GATES), -1)[GATES.index("f")]


def init_forget_bias(lstm, value=1.0):
    for layer in lstm._all_weights:
        for name in layer:
            if not name.startswith("bias"):
                continue
            p = getattr(lstm, name)
            p.requires_grad = False
            view = p.numpy()
            np.copyto(_forget(view), value if "ih" in name else 0.0)
            p.requires_grad = True


if __name__ == "__main__":
    from torch import nn

    lstm = nn.LSTM(2, 3)
    init_forget_bias(lstm)
    print(lstm.bias_ih_l0 + lstm.bias_hh_l0)
