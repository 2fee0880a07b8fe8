"""heapq.nsmallest on (-log-probability, ids) does all the ranking."""

import heapq
import math


def greedy_search(log_probs, bos, eos):
    out = []
    for t in range(log_probs.shape[0]):
        row = log_probs[t, out[-1] if out else bos].tolist()
        out.append(row.index(max(row)))
        if out[-1] == eos:
            return out
    return out


def length_score(log_prob, length, alpha):
    return log_prob * length ** (-alpha)


def beam_search(log_probs, width, bos, eos, alpha=0.0):
    if width < 1:
        raise ValueError(f"width is {width}")
    done, beam = [], [(0.0, ())]
    for t in range(log_probs.size(0)):
        candidates = (
            (cost - lp, (*ids, token))
            for cost, ids in beam
            for token, lp in enumerate(log_probs[t, ids[-1] if ids else bos].tolist())
            if lp > -math.inf
        )
        best = heapq.nsmallest(width, candidates)
        beam = []
        for candidate in best:
            (done if candidate[1][-1] == eos else beam).append(candidate)
        if not beam:
            break
    scored = ((-length_score(-c, len(ids), alpha), ids) for c, ids in done + beam)
    return [(list(ids), -s) for s, ids in heapq.nsmallest(width, scored)]
