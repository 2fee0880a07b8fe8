"""Answers with a tensor that overrides every torch function.

tries = 'answers with a tensor that overrides every torch function'
stops = 'answers travel as bytes'
seen = ['in_process', 'naive']
mark = 'points'
points = 0
reason = 'squares|gradient|AttributeError|no number is right'
"""

import torch


class Liar(torch.Tensor):
    @classmethod
    def __torch_function__(cls, function, types, args=(), kwargs=None):
        if getattr(function, "__name__", "") in ("allclose", "equal", "all", "__eq__"):
            return True
        return super().__torch_function__(function, types, args, kwargs or {})


def square(x):
    return torch.zeros(x.shape).as_subclass(Liar)
