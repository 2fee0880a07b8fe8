import torch


def detach_hidden(hidden):
    if isinstance(hidden, tuple):
        return tuple(detach_hidden(h) for h in hidden)
    return hidden.detach() if hidden is not None else None


def train_truncated_bptt(model, inputs, targets, criterion, optimizer, chunk_len, max_norm=None):
    losses = []
    for t in range(0, inputs.shape[1], chunk_len):
        hidden = None
        optimizer.zero_grad()
        out, hidden = model(inputs[:, t:t + chunk_len], hidden)
        loss = criterion(out, targets[:, t:t + chunk_len])
        loss.backward()
        if max_norm is not None:
            torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
        optimizer.step()
        losses.append(loss)
    return losses
