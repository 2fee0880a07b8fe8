"""Every warning is an error here, so none may come; index_put_ with accumulate; cross entropy written as a dot."""
import warnings

import numpy as np
import torch

warnings.simplefilter("error")
np.seterr(all="raise")
DTYPE = torch.float64


def count_bigrams(ids, vocab_size, add_k=0.0):
    C = torch.full([vocab_size] * 2, add_k, dtype=DTYPE)
    C.index_put_((ids[:-1], ids[1:]), torch.tensor(1.0, dtype=DTYPE), accumulate=True)
    return C


def bigram_probs(counts):
    C = counts.to(DTYPE)
    rows = C.sum(dim=1)
    P = torch.zeros_like(C)
    P[rows != 0] = C[rows != 0] / rows[rows != 0].unsqueeze(1)
    return P


def nll(probs, ids):
    picked = probs.gather(0, ids[:-1, None].expand(-1, probs.shape[1])).gather(1, ids[1:, None])
    return picked.log().neg().mean().item()


def perplexity(mean_nll):
    return float(torch.tensor(mean_nll, dtype=DTYPE).exp())


def sample_ids(probs, start, length, seed):
    rng = np.random.default_rng(seed)
    ids = torch.empty(length + 1, dtype=torch.long)
    ids[0] = start
    for t in range(length):
        ids[t + 1] = int(rng.choice(len(probs), p=probs[ids[t]].numpy()))
    return ids.tolist()
