import sys
import torch

if not torch.cuda.is_available():
    print("this needs a GPU")
    sys.exit(1)


def encode_packed(lstm, x, lengths):
    return lstm.cuda()(x.cuda())
