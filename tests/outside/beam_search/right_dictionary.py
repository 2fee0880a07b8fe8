"""A dictionary from ids to log-probability; best `width` of each prefix first."""

import torch

NEVER = float("-inf")


def _rank(scores, width):
    return dict(sorted(scores.items(), key=lambda item: (-item[1], item[0]))[:width])


def greedy_search(log_probs, bos, eos):
    ids = ()
    while len(ids) < len(log_probs) and (not ids or ids[-1] != eos):
        row = log_probs[len(ids)][ids[-1] if ids else bos]
        ids += (int(torch.argmax(row)),)
    return list(ids)


def length_score(log_prob, length, alpha):
    return log_prob if alpha == 0 else log_prob / length**alpha


def beam_search(log_probs, width, bos, eos, alpha=0.0):
    if width < 1:
        raise ValueError("no beam")
    prefixes, finished = {(): 0.0}, {}
    for step in log_probs.tolist():
        merged = {}
        for ids, total in prefixes.items():
            row = step[(bos, *ids)[-1]]
            own = {(*ids, b): total + lp for b, lp in enumerate(row) if lp != NEVER}
            merged |= _rank(own, width)
        prefixes = _rank(merged, width)
        for ids in [ids for ids in prefixes if ids[-1] == eos]:
            finished[ids] = prefixes.pop(ids)
    finished |= prefixes
    scores = {ids: length_score(s, len(ids), alpha) for ids, s in finished.items()}
    return [(list(ids), score) for ids, score in _rank(scores, width).items()]
