"""Ready-made attention gives other numbers in a disturbed call, own work does not."""

import pytest
import torch
from torch import nn
from torch.nn.functional import scaled_dot_product_attention as under_another_name

from grader.worker.ready_made import disturbed, held

Q = torch.randn(2, 3, 4, generator=torch.Generator().manual_seed(3))


def own(q):
    return torch.softmax(q @ q.transpose(1, 2) / 2.0, -1) @ q


def by_a_low_level_name(q):
    return torch._C._nn.scaled_dot_product_attention(q, q, q)


def by_kernel(q):
    four = q[:, None]
    attend = torch.ops.aten._scaled_dot_product_flash_attention_for_cpu
    return attend(four, four, four)[0][:, 0]


def by_functional(q):
    weight, bias = torch.eye(4).repeat(3, 1), torch.zeros(12)
    out, _ = nn.functional.multi_head_attention_forward(
        *(q.transpose(0, 1),) * 3, 4, 1, weight, bias, None, None, False, 0.0,
        torch.eye(4), torch.zeros(4),
    )  # fmt: skip
    return out.transpose(0, 1)


class Mine(nn.MultiheadAttention):
    """A subclass under another name."""


LAYER = Mine(4, 2, batch_first=True)
WAYS = {
    "alias": lambda q: under_another_name(q, q, q),
    "low level": by_a_low_level_name,
    "kernel": by_kernel,
    "functional": by_functional,
    "module": lambda q: LAYER(q, q, q)[0],
    "encoder layer": nn.TransformerEncoderLayer(4, 2, 8, batch_first=True).eval(),
}


@pytest.mark.parametrize("way", WAYS)
def test_ready_made_attention_gives_other_numbers_by_whatever_name(way):
    with torch.no_grad():
        plain = WAYS[way](Q)
        again, names = disturbed(WAYS[way], Q)
    assert names
    assert not torch.allclose(plain, again, atol=0.01)


def test_own_attention_is_left_alone_and_keeps_its_graph():
    q = Q.clone().requires_grad_()
    again, names = disturbed(own, q)
    assert names == []
    assert torch.equal(again, own(q))
    assert torch.autograd.grad(again.sum(), q)[0].shape == q.shape


def test_nothing_is_left_behind_by_a_call():
    disturbed(WAYS["alias"], Q)
    plain = under_another_name(Q, Q, Q)
    assert torch.allclose(plain, own(Q), atol=1e-5)


def test_exception_of_the_call_comes_out_as_it_is():
    with pytest.raises(KeyError, match="gone"):
        disturbed({}.__getitem__, "gone")
    assert torch.allclose(under_another_name(Q, Q, Q), own(Q), atol=1e-5)


def test_layers_in_the_tree_are_known_by_their_class_not_their_name():
    assert held(nn.Sequential(nn.Linear(2, 2), LAYER)) == ["MultiheadAttention"]
    named = type("MultiheadAttention", (nn.Module,), {})
    assert held(nn.Sequential(named())) == []
