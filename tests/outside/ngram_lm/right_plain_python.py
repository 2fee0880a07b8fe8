"""Counter, fsum and lists; torch only at the doors. 中文名字。"""

import math
from collections import Counter
from itertools import accumulate, repeat

import numpy as np
import torch


def 相邻对(ids):
    列表 = ids.tolist()
    return list(zip(列表, 列表[1:]))


def count_bigrams(ids, vocab_size, add_k=0.0):
    次数 = Counter(相邻对(ids))
    表 = [[次数[a, b] + add_k for b in range(vocab_size)] for a in range(vocab_size)]
    return torch.tensor(表, dtype=torch.float64)


def bigram_probs(counts):
    结果 = []
    for 行 in counts.tolist():
        总数 = math.fsum(行)
        结果.append([c / 总数 if 总数 else 0.0 for c in 行])
    return torch.tensor(结果, dtype=torch.double)


def nll(probs, ids):
    损失 = []
    for a, b in 相邻对(ids):
        p = probs[a, b].item()
        if p == 0:
            return float("inf")
        损失.append(-math.log(p))
    return math.fsum(损失) / len(损失)


def perplexity(mean_nll):
    return math.exp(mean_nll) if mean_nll < float("inf") else mean_nll


def sample_ids(probs, start, length, seed):
    rng = np.random.default_rng(seed)

    def 下一个(a, _):
        return int(rng.choice(probs.size(0), p=probs[a]))

    return list(accumulate(repeat(None, length), 下一个, initial=start))
