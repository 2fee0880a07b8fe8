"""Flat tensors and a stable sort; prefixes are kept in lexicographic order."""

import torch


def greedy_search(log_probs, bos, eos):
    ids = []
    last = torch.tensor(bos)
    for table in log_probs:
        row = table[last]
        last = torch.nonzero(row == row.max())[0, 0]
        ids.append(last.item())
        if ids[-1] == eos:
            break
    return ids


def length_score(log_prob, length, alpha):
    return log_prob / (length**alpha)


def beam_search(log_probs, width, bos, eos, alpha=0.0):
    if not width >= 1:
        raise ValueError("width")
    steps, vocab, _ = log_probs.shape
    prefixes = torch.empty(1, 0, dtype=torch.long)
    sums = torch.zeros(1, dtype=log_probs.dtype)
    ended = []
    for t in range(steps):
        last = prefixes[:, -1] if t else torch.tensor([bos])
        flat = (sums.unsqueeze(1) + log_probs[t, last]).flatten()
        order = flat.sort(descending=True, stable=True).indices[:width]
        order = order[flat[order] > -float("inf")].sort().values
        parent, token = order // vocab, order % vocab
        prefixes = torch.cat([prefixes[parent], token.unsqueeze(1)], dim=1)
        sums = flat[order]
        is_end = token == eos
        ended += zip(prefixes[is_end].tolist(), sums[is_end].tolist(), strict=True)
        prefixes, sums = prefixes[~is_end], sums[~is_end]
        if len(prefixes) == 0:
            break
    ended += zip(prefixes.tolist(), sums.tolist(), strict=True)
    pairs = [(ids, length_score(total, len(ids), alpha)) for ids, total in ended]
    return sorted(sorted(pairs), key=lambda pair: pair[1], reverse=True)[:width]
