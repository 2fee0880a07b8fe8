import torch
from torch.nn.utils import clip_grad_norm_


def detach_hidden(h):
    if h is None:
        return h
    if torch.is_tensor(h):
        return h.detach()
    return type(h)([detach_hidden(x) for x in h])


def train_truncated_bptt(model, inputs, targets, criterion, optimizer, chunk_len, max_norm=None):
    if chunk_len < 1:
        raise ValueError(f"chunk_len is {chunk_len}")
    state, losses = None, []
    for x, y in zip(inputs.split(chunk_len, dim=1), targets.split(chunk_len, dim=1)):
        y_hat, state = model(x, detach_hidden(state))
        loss = criterion(y_hat, y)
        optimizer.zero_grad()
        loss.backward()
        if max_norm is not None:
            clip_grad_norm_(model.parameters(), max_norm)
        optimizer.step()
        losses.append(float(loss))
    return losses
