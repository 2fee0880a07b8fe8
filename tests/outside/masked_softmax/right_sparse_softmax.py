"""torch.sparse.softmax: what is not stored counts as -inf. Double inside."""
import torch


def masked_softmax(scores, mask, dim=-1):
    keep = torch.ones(scores.shape, dtype=torch.bool)
    if mask is not None:
        keep = keep & ~mask
    moved = scores.movedim(dim, -1)
    keep = keep.movedim(dim, -1)
    flat = moved.reshape(-1, moved.shape[-1])
    index = keep.reshape(flat.shape).nonzero().T
    values = flat[index[0], index[1]].double()
    sparse = torch.sparse_coo_tensor(index, values, flat.shape)
    dense = torch.sparse.softmax(sparse, dim=1).to_dense()
    return dense.reshape(moved.shape).movedim(-1, dim).to(scores.dtype)
