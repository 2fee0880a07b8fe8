"""Tables on gradients through time (origins of attention; day 4, 2 and 3)."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import torch

from grader.tables.model import Get, Row, course_table, exactly, factor, holds, within

DOUBLE = torch.float64
# Radius; median, share above 1e3, share below 1e-3 of 40 draws.
RADII = (
    (0.5, 1.0e-18, 0.0, 1.0),
    (0.9, 6.2e-4, 0.0, 0.88),
    (1.0, 9.2e-2, 0.0, 0.0),
    (1.5, 8.6e1, 0.10, 0.03),
    (2.0, 7.1e3, 0.68, 0.0),
    (3.0, 2.3e7, 0.93, 0.0),
)
# Forget bias; mean f, norm of the whole Jacobian, norm of the direct path.
BIASES = (
    (0.0, 0.50, 1.2e-7, 2.4e-12),
    (1.0, 0.72, 5.8e-3, 6.5e-6),
    (3.0, 0.94, 1.8e1, 4.4e-1),
    (5.0, 0.99, 4.6e1, 2.9e0),
)


@course_table("Gradient of the last state by time step", "origins, RNN", "rnn_cell")
def gradient_by_step(get: Get) -> Iterator[Row]:
    """|dL/dx_t| at four steps for two sizes of the recurrent weights."""
    H, T, D = 32, 50, 8
    g = torch.Generator().manual_seed(0)
    for scale, course in (
        (0.5, ("3.6e+00", "2.9e-04", "1.2e-11", "0.0e+00")),
        (1.5, ("2.8e+00", "5.4e-01", "4.1e-02", "7.1e-03")),
    ):
        w_hh = torch.randn(H, H, generator=g) * scale / H**0.5
        w_ih = torch.randn(H, D, generator=g) / D**0.5
        x = torch.randn(T, D, generator=g).unsqueeze(0)
        h0, bias = torch.zeros(1, H), torch.zeros(H)
        norms = get("rnn_cell").grad_norm_by_step(x, h0, w_ih, w_hh, bias, bias)[0]
        for t, value in zip((49, 40, 25, 0), course, strict=True):
            yield exactly(
                f"W std {scale}/sqrt(H), t={t}", value, f"{float(norms[t]):.1e}"
            )


@course_table("40 draws of the product of Jacobians", "day 4, 2.4", "bptt_jacobian")
def spectral_radius(get: Get) -> Iterator[Row]:
    """Norms of dh_60/dh_0 for n = 32 by spectral radius: tanh, then linear."""
    ex = get("bptt_jacobian")
    for radius, median, exploded, vanished in RADII:
        g = torch.Generator().manual_seed(0)
        stats = ex.summarise(torch.tensor(_norms(ex, radius, g), dtype=DOUBLE))
        name = f"radius {radius:g}"
        if radius <= 1:
            yield within(f"{name}: median", median, stats["median"], share=0.25)
        else:
            yield factor(f"{name}: median", median, stats["median"], 4)
        yield within(f"{name}: share above 1e3", exploded, stats["exploded"], by=0.15)
        yield within(f"{name}: share below 1e-3", vanished, stats["vanished"], by=0.15)
    linear = ex.summarise(torch.tensor(_norms(ex, 2.0, g, linear=True), dtype=DOUBLE))
    yield factor("radius 2 without tanh: median", 3e18, linear["median"], 2)


def _norms(
    ex: Any, radius: float, g: torch.Generator, linear: bool = False
) -> list[float]:
    """Spectral norms of 40 products of 60 steps; inputs of deviation 0.1."""
    norms = []
    for _ in range(40):
        w = ex.rescale_to_radius(torch.randn(32, 32, generator=g, dtype=DOUBLE), radius)
        x = 0.1 * torch.randn(60, 32, generator=g, dtype=DOUBLE)
        # At states of zero tanh' is 1: the product is a power of W.
        states = torch.zeros_like(x) if linear else ex.rnn_states(w, x)
        product = ex.jacobian_product(states, w)
        norms.append(float(torch.linalg.matrix_norm(product, ord=2)))
    return norms


@course_table("60 steps of tanh' alone", "day 4, 2.4", "bptt_jacobian")
def tanh_powers(get: Get) -> Iterator[Row]:
    """How much one unit shrinks the gradient when W is 1."""
    ex = get("bptt_jacobian")
    one = torch.ones(1, 1, dtype=DOUBLE)
    for a, slope, power in (
        (0.0, "1.000", "1.0e+00"),
        (0.5, "0.786", "5.5e-07"),
        (1.0, "0.420", "2.5e-23"),
    ):
        state = torch.tensor([math.tanh(a)], dtype=DOUBLE)
        yield exactly(
            f"tanh'({a:g})", slope, f"{float(ex.step_jacobian(state, one)):.3f}"
        )
        product = float(ex.jacobian_product(state.repeat(60, 1), one))
        yield exactly(f"tanh'({a:g}) ** 60", power, f"{product:.1e}")


@course_table("60 steps of a forget gate", "day 4, 3.4", "lstm_jacobian")
def forget_powers(get: Get) -> Iterator[Row]:
    """The direct path when every gate has the same opening."""
    for f, form, course in (
        (0.5, ".1e", "8.7e-19"),
        (0.9, ".1e", "1.8e-03"),
        (0.99, ".3f", "0.547"),
        (1.0, ".3f", "1.000"),
    ):
        gates = torch.full((60, 1), f, dtype=DOUBLE)
        ours = float(get("lstm_jacobian").direct_path(gates))
        yield exactly(f"f = {f:g}", course, format(ours, form))


@course_table("Whole Jacobian, direct path, plain RNN", "day 4, 3.4", "lstm_jacobian")
def lstm_jacobians(get: Get) -> Iterator[Row]:
    """Medians of three draws, H = 16, T = 40, by forget bias."""
    ex = get("lstm_jacobian")
    medians = {}
    for bias, mean_f, full, direct in BIASES:
        found = torch.tensor([_lstm_draw(ex, seed, bias) for seed in range(3)])
        ours = found.quantile(0.5, dim=0).tolist()
        medians[bias] = ours[1]
        name = f"forget bias {bias:g}"
        yield within(f"{name}: mean f", mean_f, ours[0], by=0.02)
        yield factor(f"{name}: whole Jacobian", full, ours[1], 4)
        yield factor(f"{name}: direct path", direct, ours[2], 4)
    plain = torch.tensor([_rnn_draw(ex, seed) for seed in range(3)]).quantile(0.5)
    ratio = medians[3.0] / float(plain)
    said = "smaller by orders"
    yield holds(
        "plain RNN against bias 3", said, f"smaller by {ratio:.0e}", ratio > 1e3
    )


def _draw(
    seed: int, blocks: int
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
    """Inputs of deviation 0.5, weights of deviation 1/sqrt(H)."""
    H, T = 16, 40
    g = torch.Generator().manual_seed(seed)
    w_ih = torch.randn(blocks * H, H, generator=g, dtype=DOUBLE) / H**0.5
    w_hh = torch.randn(blocks * H, H, generator=g, dtype=DOUBLE) / H**0.5
    x = 0.5 * torch.randn(T, H, generator=g, dtype=DOUBLE)
    return x, torch.zeros(H, dtype=DOUBLE), w_ih, w_hh


def _lstm_draw(ex: Any, seed: int, forget_bias: float) -> list[float]:
    x, zero, w_ih, w_hh = _draw(seed, 4)
    bias = torch.zeros(64, dtype=DOUBLE)
    bias[16:32] = forget_bias
    _, forget = ex.lstm_run(x, zero, zero, w_ih, w_hh, bias)
    whole = ex.full_jacobian(x, zero, zero, w_ih, w_hh, bias)
    direct = ex.direct_path(forget)
    return [float(forget.mean()), float(whole.norm()), float(direct.norm())]


def _rnn_draw(ex: Any, seed: int) -> float:
    x, zero, w_ih, w_hh = _draw(seed, 1)
    return float(
        ex.rnn_jacobian(x, zero, w_ih, w_hh, torch.zeros(16, dtype=DOUBLE)).norm()
    )


@course_table(
    "Parameters of a layer, D = 8, H = 32",
    "origins, LSTM; day 4, 3.5",
    "lstm_cell",
    "gru_cell",
)
def parameters(get: Get) -> Iterator[Row]:
    """LSTM and GRU counted."""
    lstm = get("lstm_cell").lstm_param_count(8, 32)
    gru = get("gru_cell").gru_param_count(8, 32)
    yield exactly("LSTM", "5376", str(lstm))
    yield exactly("GRU", "4032", str(gru))
    yield exactly("GRU / LSTM", "0.75", f"{gru / lstm:.2f}")
