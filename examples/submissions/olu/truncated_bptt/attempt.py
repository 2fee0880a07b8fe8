import torch


def detach_hidden(hidden):
    if hidden is None:
        return None
    if isinstance(hidden, (tuple, list)):
        return type(hidden)(detach_hidden(h) for h in hidden)
    return hidden.detach()


def train_truncated_bptt(model, inputs, targets, criterion, optimizer, chunk_len, max_norm=None):
    hidden = None
    losses = []
    optimizer.zero_grad()
    for start in range(0, inputs.size(1), chunk_len):
        out, hidden = model(inputs[:, start:start + chunk_len], detach_hidden(hidden))
        loss = criterion(out, targets[:, start:start + chunk_len])
        loss.backward()
        if max_norm is not None:
            torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
        optimizer.step()
        losses.append(loss.item())
    return losses
