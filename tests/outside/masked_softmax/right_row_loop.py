"""One row at a time: softmax over what is left, put back where it was."""

import torch


def masked_softmax(scores, mask, dim=-1):
    moved = scores.movedim(dim, -1)
    if mask is None:
        mask = torch.zeros((), dtype=torch.bool)
    gone = mask.expand(scores.shape).movedim(dim, -1)
    n = moved.shape[-1]
    rows = moved.reshape(-1, n)
    gones = gone.reshape(-1, n)
    done = []
    for row, g in zip(rows, gones):
        keep = (~g).nonzero().flatten()
        new = torch.zeros_like(row)
        if len(keep) > 0:
            new = new.index_put((keep,), torch.softmax(row[keep], 0))
        done.append(new)
    return torch.stack(done).reshape(moved.shape).movedim(-1, dim)
