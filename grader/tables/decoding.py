"""The gap between teacher forcing and running freely (day 4, 4.3)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import torch

from grader.tables.model import Get, Row, course_table, holds

PAD, BOS, EOS = 0, 1, 2
STEPS = 120


@course_table("Teacher-forced and free-running loss", "day 4, 4.3", "seq2seq")
def exposure(get: Get) -> Iterator[Row]:
    """A small model, trained briefly to copy, judged in both ways."""
    ex = get("seq2seq")
    g = torch.Generator().manual_seed(0)
    model = ex.Seq2Seq(12, 16, 32)
    _train(ex, model, g)
    source, lengths, targets = _batch(g, 200)
    with torch.no_grad():
        forced = model(source, lengths, targets, BOS)
        free = _run_freely(model, source, lengths, targets.shape[1])
        losses = [
            float(ex.sequence_loss(each, targets, PAD)) for each in (forced, free)
        ]
    ours = f"{losses[0]:.2f} below {losses[1]:.2f}"
    yield holds(
        "loss on fresh sequences",
        "forced below free",
        ours,
        losses[0] + 0.1 < losses[1],
    )
    rows = model.greedy(source, lengths, BOS, EOS, 9)
    ended = sum(row[-1] == EOS for row in rows) / len(rows)
    yield holds(
        "greedy rows that end in EOS", "nearly all", f"{ended:.0%}", ended > 0.8
    )


def _batch(
    g: torch.Generator, n: int
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Draw n sequences of 3 to 6 symbols to copy, filled up with PAD."""
    lengths = torch.randint(3, 7, (n,), generator=g)
    source = torch.randint(3, 12, (n, 6), generator=g)
    source[torch.arange(6) >= lengths[:, None]] = PAD
    targets = torch.cat([source, torch.zeros(n, 1, dtype=torch.int64)], dim=1)
    targets[torch.arange(n), lengths] = EOS
    return source, lengths, targets


def _train(ex: Any, model: Any, g: torch.Generator) -> None:
    """Adam on weights of ours: ``model`` may live in another process."""
    shapes = {name: p.shape for name, p in model.state_dict().items()}
    weights = {
        name: (0.3 * torch.randn(shape, generator=g)).requires_grad_()
        for name, shape in shapes.items()
    }
    optimizer = torch.optim.Adam(weights.values(), lr=0.02)
    for _ in range(STEPS):
        model.load_state_dict({name: w.detach() for name, w in weights.items()})
        source, lengths, targets = _batch(g, 64)
        model.zero_grad()
        ex.sequence_loss(model(source, lengths, targets, BOS), targets, PAD).backward()
        for name, grad in _grads(model).items():
            weights[name].grad = grad
        optimizer.step()
    model.load_state_dict({name: w.detach() for name, w in weights.items()})


def _grads(model: Any) -> dict[str, torch.Tensor | None]:
    if isinstance(model, torch.nn.Module):
        return {name: p.grad for name, p in model.named_parameters()}
    grads: dict[str, torch.Tensor | None] = model.grads()
    return grads


def _run_freely(
    model: Any, source: torch.Tensor, lengths: torch.Tensor, steps: int
) -> torch.Tensor:
    """Logits (B, steps, V) when each choice is fed back."""
    state = model.encode(source, lengths)
    token = torch.full_like(source[:, :1], BOS)
    found = []
    for _ in range(steps):
        logits, state = model.decode(token, state)
        token = logits.argmax(-1)
        found.append(logits)
    return torch.cat(found, dim=1)
