"""Weights are loaded and read by the names of the task, however a module keeps them."""

import pytest
import torch
from torch import nn

from grader.worker.states import completed


class Twice(nn.Module):
    """A layer under two names, and a constant as a buffer."""

    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleDict({"first": nn.Linear(3, 2, bias=False)})
        self.first = self.layers["first"]
        self.register_buffer("scale", torch.tensor(2.0))


def test_other_names_and_buffers_are_filled_in():
    module, weight = Twice(), torch.randn(2, 3)

    module.load_state_dict(completed({"first.weight": weight}, module))

    assert torch.equal(module.layers["first"].weight, weight)
    assert module.scale == 2.0


def test_a_weight_that_is_not_given_is_still_missed():
    module = Twice()
    module.second = nn.Linear(2, 2, bias=False)
    state = completed({"first.weight": torch.zeros(2, 3)}, module)

    with pytest.raises(RuntimeError, match=r'Missing key.*"second\.weight"'):
        module.load_state_dict(state)


def test_a_name_that_the_module_lacks_is_still_refused():
    state = completed({"other.weight": torch.zeros(2, 3)}, Twice())

    with pytest.raises(RuntimeError, match="Unexpected key"):
        Twice().load_state_dict(state)
