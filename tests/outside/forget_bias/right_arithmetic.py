"""Keep the rest by a product with 0 and 1, then add; with an inner class."""

import torch


def init_forget_bias(lstm, value=1.0):
    class Gate:
        order = "ifgo"

        @classmethod
        def mask(cls, n):
            return torch.tensor([c == "f" for c in cls.order]).repeat_interleave(n // 4)

    with torch.inference_mode(False), torch.set_grad_enabled(False):
        for name in lstm._parameters:
            if "bias" in name:
                bias = lstm._parameters[name]
                f = Gate.mask(len(bias)).to(bias.dtype)
                bias.mul_(1 - f)
                if name.split("_")[1] == "ih":
                    bias.add_(f, alpha=value)
