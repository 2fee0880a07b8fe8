"""No fill and no where: products with 0 and 1. Half types go through float32."""
import torch

BIG = {torch.float64: -1e9, torch.float32: -1e9}


def masked_softmax(scores, mask, dim=-1):
	if mask is None: return torch.softmax(scores, dim=dim)
	kind = scores.dtype
	s = scores if kind in BIG else scores.float()
	m = mask.to(s.dtype)
	return torch.softmax(s * (1 - m) + BIG[s.dtype] * m, dim=dim).to(kind)
