import torch


def detach_hidden(hidden):
    return tuple(h.detach() for h in hidden)


def train_truncated_bptt(model, inputs, targets, criterion, optimizer, chunk_len, max_norm=None):
    losses = []
    hidden = None
    n_chunks = inputs.shape[1] // chunk_len
    for i in range(n_chunks):
        s = slice(i * chunk_len, (i + 1) * chunk_len)
        if hidden is not None:
            hidden = detach_hidden(hidden)
        optimizer.zero_grad()
        out, hidden = model(inputs[:, s], hidden)
        loss = criterion(out, targets[:, s])
        loss.backward()
        optimizer.step()
        if max_norm:
            torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
        losses.append(loss.item())
    return losses
