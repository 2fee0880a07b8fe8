"""Sorts a flat tensor of scores and finds parents by division."""

import math

import torch


def greedy_search(log_probs, bos, eos):
    ids = []
    last = bos
    for t in range(len(log_probs)):
        last = int(torch.argmax(log_probs[t, last]))
        ids.append(last)
        if last == eos:
            return ids
    return ids


def length_score(log_prob, length, alpha):
    return log_prob / length**alpha


def beam_search(log_probs, width, bos, eos, alpha=0.0):
    if width < 1:
        raise ValueError("width must be at least 1")
    T, V, _ = log_probs.shape
    open_ones = [((), 0.0)]
    done = []
    for t in range(T):
        open_ones.sort(key=lambda c: c[0])
        if not open_ones:
            break
        last = torch.tensor([ids[-1] if ids else bos for ids, _ in open_ones])
        sums = torch.tensor([total for _, total in open_ones], dtype=torch.float64)
        flat = (sums[:, None] + log_probs[t, last].double()).flatten()
        order = torch.argsort(flat, descending=True, stable=True).tolist()
        candidates = [
            (open_ones[i // V][0] + (i % V,), float(flat[i]))
            for i in order
            if flat[i] > -math.inf
        ]
        open_ones = []
        for ids, total in candidates[:width]:
            if ids[-1] == eos:
                done.append((ids, total))
            else:
                open_ones.append((ids, total))
    ranked = []
    for ids, total in done + open_ones:
        if ids:
            ranked.append((list(ids), length_score(total, len(ids), alpha)))
    ranked.sort(key=lambda c: (-c[1], c[0]))
    return ranked[:width]
