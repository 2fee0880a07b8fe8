"""All parameters as one vector, changed at the right places, and back."""

import torch
from torch.nn.utils import parameters_to_vector, vector_to_parameters


def init_forget_bias(lstm, value=1.0):
    params = list(lstm.parameters())
    with torch.no_grad():
        marks = [torch.zeros_like(p) for p in params]
        for (name, p), m in zip(lstm.named_parameters(), marks):
            if name.startswith("bias"):
                m.view(4, -1)[1] = 1 if "_ih_" in name else -1
        flat = torch.cat([m.flatten() for m in marks])
        old = parameters_to_vector(params)
        new = torch.where(flat == 1, torch.full_like(old, value), old)
        new = torch.where(flat == -1, torch.zeros_like(old), new)
        vector_to_parameters(new.clone(), params)
    return None
