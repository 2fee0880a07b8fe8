"""What becomes of a tensor's strides: nothing of them crosses, in either direction."""

import itertools

import pytest
import torch

from grader import wire

DTYPES = [getattr(torch, name) for name in wire.ITEM_SIZE]
SHAPES = [(3,), (2, 3), (2, 3, 4), (1, 3, 2), (2, 1, 1, 3)]


def drawn(shape, dtype):
    numbers = torch.arange(1, 1 + torch.Size(shape).numel()).reshape(shape)
    return numbers % 3 == 0 if dtype is torch.bool else numbers.to(dtype)


def arrived(value, kind=wire.Request):
    """``value`` as the other side has it."""
    encoder = wire.Encoder()
    encoded = encoder.encode(value)
    message = (
        wire.Request(1, "call", [], encoded)
        if kind is wire.Request
        else wire.Reply(1, encoded)
    )
    data = wire.frame(message, encoder.blob)
    head, _ = wire.lengths(data[:8])
    body = bytearray(data[8:])
    return wire.Decoder(kind, copy=False).decode(body[:head], body[head:]).value


@pytest.mark.parametrize("kind", [wire.Request, wire.Reply])
@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_permuted_tensor_of_every_dtype_arrives_row_after_row(dtype, kind):
    for shape in SHAPES:
        for order in itertools.permutations(range(len(shape))):
            value = drawn(shape, dtype).permute(order)
            there = arrived(value, kind)
            assert (there.dtype, there.shape) == (dtype, value.shape)
            assert torch.equal(there, value)
            assert there.is_contiguous()


LOOSE = torch.arange(24.0).reshape(4, 6)
UNEVEN = {
    "every other column": LOOSE[:, ::2],
    "every other column, turned": LOOSE[:, ::2].T,
    "a few columns": LOOSE[:, 1:4],
    "a few rows of a turned one": LOOSE.T[1:3],
    "rows that are one": LOOSE[:1].expand(3, 6),
    "columns that are one": LOOSE[:, :1].expand(4, 3),
    "windows that overlap": LOOSE.unfold(1, 3, 1),
    "a lazy conjugate": torch.complex(LOOSE, -LOOSE).T.conj(),
    "a lazy negative": torch.complex(LOOSE, -LOOSE).T.conj().imag,
}


@pytest.mark.parametrize("name", UNEVEN)
def test_memory_with_gaps_overlaps_or_lazy_signs_arrives_as_plain_numbers(name):
    value = UNEVEN[name]
    there = arrived(value)
    assert torch.equal(there, value.resolve_conj().resolve_neg())
    assert (there.is_contiguous(), there.is_conj(), there.is_neg()) == (
        True,
        False,
        False,
    )
    assert there.view(-1).shape == (value.numel(),)


def test_permuted_leaf_is_a_leaf_there_and_no_view():
    value = torch.randn(2, 3, 4, requires_grad=True).transpose(0, 2)
    there = arrived(value)
    assert (there.is_leaf, there.requires_grad) == (True, True)
    assert there._base is None
    there.pow(2).sum().backward()
    assert torch.equal(there.grad, 2 * value)
    there.detach_()
