"""Tables on counting and word vectors (origins of attention)."""

from __future__ import annotations

from collections.abc import Iterator

import torch

from grader.tables.model import Get, Row, course_table, exactly, holds

TEXT = (
    "the cat sat on the mat. the dog sat on the log. the cat saw the dog. "
    "a dog and a cat sat on a mat. the log was on the mat. "
) * 20
SENTENCES = (
    "the king rules the land",
    "the queen rules the land",
    "a king wears a crown",
    "a queen wears a crown",
    "the dog chases the ball",
    "the puppy chases the ball",
    "a dog eats food",
    "a puppy eats food",
)


@course_table("Bigrams of a toy corpus", "origins, language models", "ngram_lm")
def bigrams(get: Get) -> Iterator[Row]:
    """NLL and perplexity with and without smoothing, and sampled characters."""
    lm = get("ngram_lm")
    chars = sorted(set(TEXT))
    index = {c: i for i, c in enumerate(chars)}
    ids = torch.tensor([index[c] for c in TEXT])
    train, test = ids[: int(0.9 * len(ids))], ids[int(0.9 * len(ids)) :]
    unseen = torch.tensor([index[c] for c in "the cow sat."])
    yield exactly("vocabulary", "15", str(len(chars)))
    for add_k, nll, ppl, cow in (
        (0, "0.970", "2.64", "inf"),
        (1, "1.049", "2.85", "1.684"),
    ):
        counts = lm.count_bigrams(train, len(chars), add_k=float(add_k))
        probs = lm.bigram_probs(counts)
        loss = float(lm.nll(probs, test))
        yield exactly(f"add-{add_k}: test NLL", nll, f"{loss:.3f}")
        yield exactly(
            f"add-{add_k}: perplexity", ppl, f"{float(lm.perplexity(loss)):.2f}"
        )
        seen = float(lm.nll(probs, unseen))
        yield exactly(f"add-{add_k}: NLL of 'the cow sat.'", cow, f"{seen:.3f}")
    sampled = lm.sample_ids(probs, index["t"], 40, 0)
    text = "".join(chars[i] for i in sampled)
    yield exactly(
        "40 sampled characters", "the athe ond t t the a sat.wwathe sasathe", text
    )


@course_table("Skip-gram on eight sentences", "origins, word vectors", "skipgram")
def word_vectors(get: Get) -> Iterator[Row]:
    """Losses of 301 steps with the full softmax, then neighbours by cosine."""
    sg = get("skipgram")
    words = sorted({w for s in SENTENCES for w in s.split()})
    index = {w: i for i, w in enumerate(words)}
    sentences = [torch.tensor([index[w] for w in s.split()]) for s in SENTENCES]
    # The course repeats its text 50 times; the mean loss is the same without.
    pairs = torch.cat([sg.window_pairs(s, 2) for s in sentences])
    w_in, losses = _train(sg, pairs, len(words))
    for step, course in zip(losses, ("5.543", "1.454", "1.450", "1.449"), strict=True):
        yield exactly(f"loss at step {step}", course, f"{losses[step]:.3f}")
    for word, course in (
        ("king", "queen 0.82, land 0.73"),
        ("dog", "puppy 0.89, ball 0.64"),
        ("crown", "queen 0.58, wears 0.47"),
    ):
        ids, cosines = sg.nearest(w_in, index[word], 2)
        near = zip(ids.tolist(), cosines.tolist(), strict=True)
        ours = ", ".join(f"{words[i]} {c:.2f}" for i, c in near)
        yield exactly(f"nearest to {word}", course, ours)
    rows = sg.one_hot_lookup(sentences[0], w_in)
    gap = float((rows - w_in[sentences[0]]).abs().max())
    yield holds(
        "one-hot @ W against a row of W", "equal", f"differ by {gap:g}", gap < 1e-6
    )


def _train(
    sg: object, pairs: torch.Tensor, V: int
) -> tuple[torch.Tensor, dict[int, float]]:
    """The course's run: seed 0, vectors of size 8, Adam at 0.05."""
    generator = torch.Generator().manual_seed(0)
    w_in = torch.randn(V, 8, generator=generator, requires_grad=True)
    w_out = torch.randn(8, V, generator=generator, requires_grad=True)
    optimizer = torch.optim.Adam([w_in, w_out], lr=0.05)
    losses = {}
    for step in range(301):
        loss = sg.softmax_loss(w_in, w_out, pairs)  # type: ignore[attr-defined]
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 100 == 0:
            losses[step] = float(loss.detach())
    return w_in.detach(), losses
