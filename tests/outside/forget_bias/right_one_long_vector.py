"""All parameters as one long vector, changed by a mask of the same length and put back."""
import torch
from torch.nn.utils import parameters_to_vector, vector_to_parameters


@torch.no_grad()
def init_forget_bias(lstm, value=1.0):
    params = list(lstm.named_parameters())
    long = parameters_to_vector(p for _, p in params).clone()
    at = 0
    for name, p in params:
        if name.startswith("bias"):
            h = lstm.hidden_size
            long[at + h:at + 2 * h] = value if "ih" in name else 0.0
        at += p.numel()
    vector_to_parameters(long, [p for _, p in params])
