import torch


def masked_softmax(scores, mask, dim=-1):
    # mask 为 True 的位置是填充，不能得到权重
    if mask is None:
        return torch.softmax(scores, dim)
    # 用该类型能表示的最小数，整行都被遮住时也不会出现 nan
    low = torch.finfo(scores.dtype).min
    return torch.softmax(torch.where(mask, low, scores), dim)
