"""The rest of the sequence is trained by calling itself on it; the state as a default argument."""
import torch


def detach_hidden(hidden):
    try:
        return hidden.detach()
    except AttributeError:
        return None if hidden is None else tuple(detach_hidden(h) for h in hidden)


def train_truncated_bptt(
    model, inputs, targets, criterion, optimizer, chunk_len, max_norm=None, hidden=None
):
    if chunk_len < 1:
        raise ValueError("chunk_len must be at least 1")
    if inputs.shape[1] == 0:
        return []
    out, new = model(inputs[:, :chunk_len], hidden)
    loss = criterion(out, targets[:, :chunk_len])
    optimizer.zero_grad()
    loss.backward()
    if max_norm is not None:
        total = torch.linalg.vector_norm(
            torch.cat([p.grad.reshape(-1) for p in model.parameters() if p.grad is not None])
        )
        if total > max_norm:
            with torch.no_grad():
                for p in model.parameters():
                    if p.grad is not None:
                        p.grad = p.grad * (max_norm / total)
    optimizer.step()
    rest = train_truncated_bptt(
        model, inputs[:, chunk_len:], targets[:, chunk_len:], criterion, optimizer,
        chunk_len, max_norm, detach_hidden(new),
    )
    return [loss.item(), *rest]
