"""Tables on attention and decoding (origins of attention; day 4, 4, 5, A.4)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import torch

from grader.tables.model import Get, Row, course_table, exactly, factor, holds, within

# Size; variance of q · k; unscaled: largest weight and Jacobian norm; scaled: norm.
SIZES = (
    (16, 16.2, 0.623, 0.284, 0.236),
    (64, 65.4, 0.791, 0.218, 0.240),
    (256, 257.4, 0.914, 0.106, 0.243),
    (1024, 1019.6, 0.948, 0.067, 0.241),
)
# One score is best by 1.04 and the next are 1.75 and more behind.
LOOKUP_SCORES = (2.0, 0.96, 0.25, 0.0, -0.6)
LOOKUP_VALUES = ((1.0, 0.0), (1.0, 2.2), (1.0, 4.0), (1.0, 4.0), (1.0, 4.0))


@course_table("Two rows of attention weights", "origins, attention", "attention_scores")
def weight_rows(get: Get) -> Iterator[Row]:
    """The course's random states, scored additively and by dot product."""
    g = torch.Generator().manual_seed(0)
    keys = torch.randn(6, 4, generator=g)
    query = keys[3] * 2 + 0.1 * torch.randn(4, generator=g)
    w1, w2 = torch.randn(4, 4, generator=g), torch.randn(4, 4, generator=g)
    v = torch.randn(4, generator=g)
    attend = get("attention_scores").attend
    _, additive = attend("additive", query[None], keys[None], w1=w1, w2=w2, v=v)
    _, dot = attend("dot", query[None], keys[None])
    course = "[0.112, 0.265, 0.109, 0.253, 0.111, 0.151]"
    yield exactly("additive", course, str([round(a, 3) for a in additive[0].tolist()]))
    course = "[0.003, 0.292, 0.026, 0.231, 0.41, 0.038]"
    yield exactly("dot", course, str([round(a, 3) for a in dot[0].tolist()]))


@course_table("Lookup at a temperature", "day 4, 5.3", "softmax_jacobian")
def temperatures(get: Get) -> Iterator[Row]:
    """Largest weight, and distance to the value of the best key."""
    scores = torch.tensor(LOOKUP_SCORES, dtype=torch.float64)
    values = torch.tensor(LOOKUP_VALUES, dtype=torch.float64)
    for tau, weight, distance in (
        (1.0, 0.573, 1.3),
        (0.3, 0.962, 1.1e-1),
        (0.1, 1.000, 8.1e-5),
        (0.03, 1.000, 1.7e-15),
    ):
        output, weights = get("softmax_jacobian").soft_lookup(scores, values, tau)
        yield within(
            f"τ = {tau:g}: largest weight", weight, float(weights.max()), by=0.01
        )
        gap = float((output - values[0]).norm())
        yield factor(f"τ = {tau:g}: distance", distance, gap, 2)


@course_table(
    "Why the scores are divided by sqrt(d)",
    "day 4, 5.5",
    "attention_scores",
    "softmax_jacobian",
)
def scaling(get: Get) -> Iterator[Row]:
    """Variance of q · k; weights and Jacobian norms of 300 queries on 32 keys."""
    g = torch.Generator().manual_seed(0)
    for d, variance, largest, raw, scaled in SIZES:
        ours = _scaling(get, d, g)
        yield within(f"d = {d}: Var[q · k]", variance, ours[0], share=0.1)
        yield within(f"d = {d}: largest weight", largest, ours[1], by=0.05)
        yield within(f"d = {d}: |J| unscaled", raw, ours[2], share=0.3)
        yield within(f"d = {d}: |J| scaled", scaled, ours[3], share=0.05)


def _scaling(get: Get, d: int, g: torch.Generator) -> list[float]:
    """Means over 300 queries, in parts: a call carries at most 7 MB."""
    scores, jacobians = get("attention_scores"), get("softmax_jacobian")
    dots: list[torch.Tensor] = []
    largest: list[torch.Tensor] = []
    norms: tuple[list[torch.Tensor], list[torch.Tensor]] = ([], [])
    for _ in range(6):
        query = torch.randn(50, d, generator=g)
        keys = torch.randn(50, 32, d, generator=g)
        raw = scores.dot_score(query, keys)
        dots.append(raw)
        largest.append(raw.softmax(-1).amax(-1))
        for at, each in enumerate((raw, scores.scaled_dot_score(query, keys))):
            jacobian = jacobians.softmax_jacobian(each.softmax(-1))
            norms[at].append(jacobian.flatten(1).norm(dim=1))
    means = [float(torch.cat(v).mean()) for v in (largest, *norms)]
    return [float(torch.cat(dots).var()), *means]


@course_table(
    "Softmax over the wrong axis",
    "day 4, A.4",
    "attention_scores",
    "scaled_dot_attention",
)
def wrong_axis(get: Get) -> Iterator[Row]:
    """Three queries and four keys: sums of the rows of weights."""
    g = torch.Generator().manual_seed(3)
    q, k = torch.randn(3, 8, generator=g), torch.randn(4, 8, generator=g)
    _, weights = get("scaled_dot_attention").scaled_dot_attention(q, k, k)
    right = [f"{s:.3f}" for s in weights.sum(-1).tolist()]
    yield exactly("over the keys", "1.000 1.000 1.000", " ".join(right))
    scores = get("attention_scores").scaled_dot_score(q, k.expand(3, 4, 8).contiguous())
    sums = torch.softmax(scores, dim=0).sum(-1)
    ours = " ".join(f"{s:.3f}" for s in sums.tolist())
    off = bool(((sums - 1).abs() > 0.05).any())
    yield holds("over the queries: not 1", "1.808 0.801 1.391", ours, off)
    yield exactly(
        "their total is the number of keys", "4.000", f"{float(sums.sum()):.3f}"
    )


@course_table("Words that attend to themselves", "day 4, 5.6", "scaled_dot_attention")
def self_attention(get: Get) -> Iterator[Row]:
    """50 times 20 random words of size 64, with and without W_Q and W_K."""
    g = torch.Generator().manual_seed(0)
    x = torch.randn(50, 20, 64, generator=g)
    w_q, w_k = (torch.randn(50, 64, 64, generator=g) / 8 for _ in range(2))
    attention = get("scaled_dot_attention").scaled_dot_attention
    own = torch.arange(20)
    for name, q, k, course, slack in (
        ("without projections", x, x, 1.0, 0.0),
        ("with W_Q and W_K", x @ w_q, x @ w_k, 0.04, 0.03),
    ):
        _, weights = attention(q, k, x)
        share = float((weights.argmax(-1) == own).double().mean())
        yield within(name, course, share, by=slack or 1e-9)


@course_table("A start that leads to a dead end", "origins, seq2seq", "beam_search")
def garden_path(get: Get) -> Iterator[Row]:
    """Greedy takes the likelier first token, and loses."""
    end, start = 2, 3
    # From the start: a 0.6, b 0.4. After a: 0.4, 0.3, end 0.3. After b: end 0.9.
    first, after_a, after_b = [0.6, 0.4, 0, 0], [0.4, 0.3, 0.3, 0], [0.05, 0.05, 0.9, 0]
    table = torch.tensor([[after_a, after_b, [0, 0, 1, 0], first]] * 3).log()
    search = get("beam_search")
    path = [start, *search.greedy_search(table, start, end)]
    greedy = sum(float(table[t, a, b]) for t, (a, b) in enumerate(pairwise(path)))
    _, best = search.beam_search(table, 2, start, end)[0]
    ours = f"greedy {greedy:.3f}, beam of 2 {best:.3f}"
    yield holds("log-probability", "greedy below beam", ours, best > greedy + 0.1)
