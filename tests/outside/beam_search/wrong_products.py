"""Multiplies probabilities in float32: long or unlikely ones become 0."""

import math

import torch


def greedy_search(log_probs, bos, eos):
    ids, last = [], bos
    for table in log_probs:
        last = int(table[last].argmax())
        ids.append(last)
        if last == eos:
            break
    return ids


def length_score(log_prob, length, alpha):
    return log_prob / length**alpha


def beam_search(log_probs, width, bos, eos, alpha=0.0):
    if width < 1:
        raise ValueError("width must be at least 1")
    tables = log_probs.tolist()
    beam, finished = [([], torch.tensor(1.0))], []
    for table in tables:
        grown = []
        for ids, total in beam:
            last = ids[-1] if ids else bos
            for token, lp in enumerate(table[last]):
                if lp != -math.inf:
                    grown.append((ids + [token], total * math.exp(lp)))
        grown.sort(key=lambda c: (-c[1], c[0]))
        kept = [c for c in grown if c[1] > 0][:width]
        finished += [c for c in kept if c[0][-1] == eos]
        beam = [c for c in kept if c[0][-1] != eos]
    ranked = []
    for ids, s in finished + beam:
        ranked.append((ids, length_score(float(s.log()), len(ids), alpha)))
    ranked.sort(key=lambda c: (-c[1], c[0]))
    return ranked[:width]
