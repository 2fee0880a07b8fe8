"""Never uses alpha in the ranking."""

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
        candidates = []
        for ids, total in open_ones:
            row = log_probs[t, ids[-1] if ids else bos].tolist()
            for token in range(V):
                if row[token] > -math.inf:
                    candidates.append((ids + (token,), total + row[token]))
        candidates.sort(key=lambda c: (-c[1], c[0]))
        open_ones = []
        for ids, total in candidates[:width]:
            if ids[-1] == eos:
                done.append((ids, total))
            else:
                open_ones.append((ids, total))
    ranked = []
    for ids, total in done + open_ones:
        if ids:
            ranked.append((list(ids), total))
    ranked.sort(key=lambda c: (-c[1], c[0]))
    return ranked[:width]
