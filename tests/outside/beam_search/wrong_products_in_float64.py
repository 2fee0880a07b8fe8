"""Multiplies probabilities in float64: the unlikely become 0 all the same."""

import torch


def greedy_search(log_probs, bos, eos):
    ids, last = ([], bos)
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
        raise ValueError(f"width must be at least 1, not {width}")
    steps = log_probs.tolist()
    import math

    beam: list[tuple[list[int], float]] = [([], 1.0)]
    finished = []
    for table in steps:
        candidates = [
            ([*ids, token], total * math.exp(step))
            for ids, total in beam
            for token, step in enumerate(table[ids[-1] if ids else bos])
            if step != float("-inf")
        ]
        candidates.sort(key=lambda c: (-c[1], c[0]))
        kept = candidates[:width]
        finished += [c for c in kept if c[0][-1] == eos]
        beam = [c for c in kept if c[0][-1] != eos]
    scored = [
        (
            ids,
            length_score(math.log(total) if total else float("-inf"), len(ids), alpha),
        )
        for ids, total in finished + beam
        if ids
    ]
    scored.sort(key=lambda c: (-c[1], c[0]))
    return scored[:width]
