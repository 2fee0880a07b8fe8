"""Unusual: softmax over the valid entries alone, scattered back into zeros."""

import torch


def masked_softmax(scores, mask, dim=-1):
    out = torch.zeros_like(scores).movedim(dim, -1)
    keep = torch.ones_like(scores, dtype=torch.bool)
    if mask is not None:
        keep = keep & ~mask
    x, keep = scores.movedim(dim, -1), keep.movedim(dim, -1)
    flat, kept = x.reshape(-1, x.shape[-1]), keep.reshape(-1, x.shape[-1])
    rows = []
    for row, ok in zip(flat, kept):
        new = torch.zeros_like(row)
        if ok.any():
            new = new.masked_scatter(ok, torch.softmax(row[ok], 0))
        rows.append(new)
    return torch.stack(rows).reshape(out.shape).movedim(-1, dim)
