"""In the beam an end of id 0 never ends."""

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
    eos = eos or -1
    tables = log_probs.tolist()
    beam, finished = [([], 0.0)], []
    for t, table in enumerate(tables):
        grown = []
        for ids, total in beam:
            last = ids[-1] if ids else bos
            for token, lp in enumerate(table[last]):
                if lp != -math.inf:
                    grown.append((ids + [token], total + lp))
        # grown
        grown.sort(key=lambda c: (-c[1], c[0]))
        kept = grown[:width]
        finished += [c for c in kept if c[0][-1] == eos]
        beam = [c for c in kept if c[0][-1] != eos]
        # step
    ranked = []
    for ids, s in finished + beam:
        ranked.append((ids, length_score(s, len(ids), alpha)))
    # ranked
    ranked.sort(key=lambda c: (-c[1], c[0]))
    return ranked[:width]
