"""Keeps prefixes and scores as tensors; ties by a sort that keeps the order."""

import torch


def greedy_search(log_probs, bos, eos):
    ids = torch.empty(0, dtype=torch.long)
    row = bos
    for step in log_probs:
        # The first of equal ones: argmax of where the maximum stands.
        row = int((step[row] == step[row].max()).int().argmax())
        ids = torch.cat([ids, torch.tensor([row])])
        if row == eos:
            break
    return ids.tolist()


def length_score(log_prob, length, alpha):
    return log_prob * float(length) ** -alpha


def _ranked(found):
    found = sorted(found, key=lambda f: f[0])
    scores = torch.tensor([f[1] for f in found], dtype=torch.float64)
    order = torch.argsort(scores, descending=True, stable=True)
    return [found[i] for i in order.tolist()]


def beam_search(log_probs, width, bos, eos, alpha=0.0):
    if not width >= 1:
        raise ValueError("the beam needs a width of 1 or more")
    still_open, done = [([], 0.0)], []
    for step in log_probs.double():
        grown = []
        for ids, total in still_open:
            row = total + step[ids[-1] if ids else bos]
            for token in torch.isfinite(row).nonzero().flatten().tolist():
                grown.append((ids + [token], float(row[token])))
        best = _ranked(grown)[:width]
        done += [b for b in best if b[0][-1] == eos]
        still_open = [b for b in best if b[0][-1] != eos]
        if not still_open:
            break
    scored = [(ids, length_score(s, len(ids), alpha)) for ids, s in done + still_open]
    return _ranked(scored)[:width]
