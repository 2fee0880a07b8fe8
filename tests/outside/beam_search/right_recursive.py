"""Recursion over the steps, NumPy's lexsort for the ties."""

import numpy as np


def greedy_search(log_probs, bos, eos):
    def follow(t, last):
        if t == len(log_probs):
            return []
        token = int(np.argmax(log_probs[t, last].numpy()))
        return [token] if token == eos else [token, *follow(t + 1, token)]

    return follow(0, bos)


def length_score(log_prob, length, alpha):
    return float(log_prob / np.power(float(length), alpha))


def _best(pairs, width):
    if not pairs:
        return []
    longest = max(len(ids) for ids, _ in pairs)
    padded = np.array([list(ids) + [-1] * (longest - len(ids)) for ids, _ in pairs])
    numbers = np.array([number for _, number in pairs])
    columns = [padded[:, i] for i in reversed(range(longest))]
    return [pairs[i] for i in np.lexsort((*columns, -numbers))[:width]]


def beam_search(log_probs, width, bos, eos, alpha=0.0):
    if width <= 0:
        raise ValueError("width must be positive")
    table = log_probs.double().numpy()

    def search(t, beam):
        if t == len(table) or not beam:
            return beam
        grown = []
        for ids, total in beam:
            row = table[t, ids[-1] if ids else bos]
            for b in np.flatnonzero(row > -np.inf).tolist():
                grown.append(([*ids, b], total + row[b]))
        kept = _best(grown, width)
        ended = [pair for pair in kept if pair[0][-1] == eos]
        return ended + search(t + 1, [pair for pair in kept if pair[0][-1] != eos])

    found = search(0, [([], 0.0)])
    scored = [(ids, length_score(total, len(ids), alpha)) for ids, total in found]
    return _best(scored, width)
