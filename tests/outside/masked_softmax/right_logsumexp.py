"""exp(s - logsumexp(s)), worked out in float64 and cast back."""

from typing import Optional

import torch
from torch import Tensor


def masked_softmax(scores : Tensor , mask : Optional[Tensor] = None , dim : int = -1) -> Tensor :
    wide = scores.to(torch.float64)
    if mask is not None :
        # -1e5, not -inf: inf - inf would be NaN
        wide = torch.where( mask , torch.full_like(wide, -1e5) , wide )
    result = ( wide - wide.logsumexp(dim = dim, keepdim = True) ).exp()
    return result.type_as( scores )
