"""Sums stand in a float32 buffer made beforehand, as in most batched code; log-probabilities are cast."""
import torch


def greedy_search(log_probs, bos, eos):
    result = []
    token = bos
    for step in log_probs.float():
        token = step[token].argmax().item()
        result.append(token)
        if token == eos:
            break
    return result


def length_score(log_prob, length, alpha):
    return log_prob / length ** alpha


def beam_search(log_probs, width, bos, eos, alpha=0.0):
    if width < 1:
        raise ValueError("width must be at least 1")
    T, V, _ = log_probs.shape
    sums = torch.zeros(1)
    open_ = [[]]
    done = []
    for t in range(T):
        last = [p[-1] if p else bos for p in open_]
        total = torch.empty(len(open_), V)
        total[:] = sums[:, None] + log_probs[t, last]
        flat = [
            (total[i, b].item(), open_[i] + [b]) for i in range(len(open_)) for b in range(V)
        ]
        flat = sorted((c for c in flat if c[0] != float("-inf")), key=lambda c: (-c[0], c[1]))[:width]
        done += [c for c in flat if c[1][-1] == eos]
        flat = [c for c in flat if c[1][-1] != eos]
        open_ = [ids for _, ids in flat]
        sums = torch.tensor([s for s, _ in flat])
        if not open_:
            break
    done += [(s.item(), ids) for s, ids in zip(sums, open_)]
    ranked = [(ids, length_score(s, len(ids), alpha)) for s, ids in done]
    ranked.sort(key=lambda r: (-r[1], r[0]))
    return ranked[:width]
