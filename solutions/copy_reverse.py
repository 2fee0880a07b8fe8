"""Lab: copy and reverse, with attention and without (day 4, 4.2, 5 and B).

Try it: make check EX=copy_reverse

A row of random tokens is to be written again, or written backwards. Where each
token comes from is known, so it can be seen whether attention looks there: on
the diagonal of its weights for a copy, on the anti-diagonal for a reversal.
Without attention all tokens pass through one vector, and long rows suffer.
Conventions: ``mask`` is bool and True = masked out; the query is the state
after the decoder has read the last token (as in Luong's attention), so that
all steps of a target run at once. Tensors that are passed in stay as they are.
"""

import math
from collections.abc import Callable, Iterator

import torch
import torch.nn.functional as F
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

PAD, BOS = 0, 1  # the tokens themselves are 2, 3, ...
Batch = tuple[Tensor, Tensor, Tensor]


def make_targets(task: str, source: Tensor, lengths: Tensor) -> Tensor:
    """What is to be written for (B, S) int64 sources, padding at their ends.

    Args:
        task: "copy" or "reverse".
        source: (B, S), PAD past each length.
        lengths: (B,) int64.

    Returns:
        (B, S) int64: each row's own tokens, in order or backwards, then PAD.
    """
    # BEGIN SOLUTION make_targets (TODO 1 of 6): a row is turned round within its own length: from which step does step t come? About 6 lines.
    if task == "copy":
        return source.clone()
    step = torch.arange(source.size(1))
    # (B, 1) - (S,) -> (B, S); past the length any step will do
    origin = (lengths[:, None] - 1 - step).clamp(min=0)
    return source.gather(1, origin).masked_fill(step >= lengths[:, None], PAD)
    # END SOLUTION


class Attention(nn.Module):
    """Attention of every query to every key, in one of three kinds.

    With q = W_query query and k = W_key key the score is v · tanh(q + k)
    ("additive"), q · k ("dot") or q · k over the root of Da ("scaled").
    The values are W_value key, or with separate_kv=False the keys themselves.
    """

    def __init__(
        self, kind: str, Dq: int, Dk: int, Da: int, separate_kv: bool = True
    ):
        """Make the layers, none with a bias (given)."""
        super().__init__()
        self.kind = kind
        self.W_query = nn.Linear(Dq, Da, bias=False)
        self.W_key = nn.Linear(Dk, Da, bias=False)
        self.v = nn.Linear(Da, 1, bias=False)  # of the additive kind
        self.W_value = nn.Linear(Dk, Dk, bias=False) if separate_kv else None

    def forward(
        self, queries: Tensor, keys: Tensor, mask: Tensor
    ) -> tuple[Tensor, Tensor]:
        """Context (B, T, Dk) and weights (B, T, S), rows of which sum to 1.

        Args:
            queries: (B, T, Dq).
            keys: (B, S, Dk).
            mask: (B, S) bool, True = masked out; no row is masked whole.
        """
        # BEGIN SOLUTION Attention.forward (TODO 2 of 6): scores of the kind asked for, mask, softmax over the keys, weighted sum of the values. About 11 lines.
        q, k = self.W_query(queries), self.W_key(keys)
        if self.kind == "additive":
            # (B, T, 1, Da) + (B, 1, S, Da) -> (B, T, S)
            mixed = torch.tanh(q.unsqueeze(2) + k.unsqueeze(1))
            scores = self.v(mixed).squeeze(-1)
        else:
            scores = q @ k.transpose(1, 2)
        if self.kind == "scaled":
            scores = scores / math.sqrt(q.size(-1))
        scores = scores.masked_fill(mask.unsqueeze(1), -1e9)
        weights = torch.softmax(scores, dim=-1)
        values = keys if self.W_value is None else self.W_value(keys)
        return weights @ values, weights
        # END SOLUTION


class Copier(nn.Module):
    """Bidirectional LSTM encoder, LSTM decoder, attention between them.

    ``kind`` is that of the attention; "none" leaves it out.
    """

    def __init__(
        self,
        kind: str,
        vocab: int,
        embed: int,
        hidden: int,
        attn_dim: int = 32,
    ):
        """Make the layers (given)."""
        super().__init__()
        self.embed = nn.Embedding(vocab, embed, padding_idx=PAD)
        self.encoder = nn.LSTM(
            embed, hidden, batch_first=True, bidirectional=True
        )
        self.bridge = nn.Linear(2 * hidden, hidden)
        self.decoder = nn.LSTM(embed, hidden, batch_first=True)
        self.attention = None
        if kind != "none":
            self.attention = Attention(kind, hidden, 2 * hidden, attn_dim)
        self.out = nn.Linear(hidden if kind == "none" else 3 * hidden, vocab)

    def encode(self, source: Tensor, lengths: Tensor) -> tuple[Tensor, tuple]:
        """Keys (B, S, 2H) and the decoder's first state (given)."""
        packed = pack_padded_sequence(
            self.embed(source), lengths, batch_first=True, enforce_sorted=False
        )
        output, (h_n, _) = self.encoder(packed)
        keys, _ = pad_packed_sequence(
            output, batch_first=True, total_length=source.size(1)
        )
        start = torch.tanh(self.bridge(torch.cat([h_n[0], h_n[1]], dim=-1)))
        return keys, (start.unsqueeze(0), torch.zeros_like(start)[None])

    def forward(
        self, source: Tensor, lengths: Tensor, inputs: Tensor
    ) -> tuple[Tensor, Tensor | None]:
        """Teacher forcing: logits (B, T, V) and weights (B, T, S) or None.

        ``out`` sees the decoder's state, and behind it the context where
        there is attention. ``inputs`` (B, T) is what the decoder is fed.
        """
        # BEGIN SOLUTION Copier.forward (TODO 3 of 6): encode, run the decoder, attend past the padding, join, map to the vocabulary. About 8 lines.
        keys, state = self.encode(source, lengths)
        states, _ = self.decoder(self.embed(inputs), state)
        if self.attention is None:
            return self.out(states), None
        mask = torch.arange(source.size(1)) >= lengths[:, None]
        context, weights = self.attention(states, keys, mask)
        return self.out(torch.cat([states, context], dim=-1)), weights
        # END SOLUTION


def shift_right(targets: Tensor) -> Tensor:
    """BOS, then all targets but the last (given)."""
    return F.pad(targets[:, :-1], (1, 0), value=BOS)


def alignment_hits(weights: Tensor, lengths: Tensor, task: str) -> float:
    """Share of real target steps whose largest weight is where it should be.

    Args:
        weights: (B, T, S), T = S.
        lengths: (B,) int64; steps past a row's length do not count.
        task: "copy" or "reverse".
    """
    # BEGIN SOLUTION alignment_hits (TODO 4 of 6): the place that each step should look at, the largest weight over the keys, the share over real steps. About 5 lines.
    step = torch.arange(weights.size(1))
    backwards = lengths[:, None] - 1 - step
    wanted = step.expand_as(backwards) if task == "copy" else backwards
    hit = weights.argmax(dim=-1) == wanted
    return hit[step < lengths[:, None]].float().mean().item()
    # END SOLUTION


def accuracy_by_length(
    logits: Tensor, targets: Tensor, lengths: Tensor
) -> dict[int, float]:
    """For each length that occurs, the share of its rows' tokens got right.

    Logits are (B, T, V), targets (B, T); what is past a length does not count.
    """
    # BEGIN SOLUTION accuracy_by_length (TODO 5 of 6): compare the likeliest tokens, leave padding out, one mean for each length. About 6 lines.
    right = logits.argmax(dim=-1) == targets
    found = {}
    for length in sorted(set(lengths.tolist())):
        rows = lengths == length
        found[length] = right[rows][:, :length].float().mean().item()
    return found
    # END SOLUTION


def train(
    model: nn.Module,
    optimizer: torch.optim.Optimizer,
    batches: Iterator[Batch],
    steps: int,
    max_norm: float = 1.0,
    report: Callable[[int, int, float], None] | None = None,
    every: int = 25,
) -> list[float]:
    """Train for some steps with teacher forcing, a new batch for each.

    A batch is (source, lengths, targets), the model is called with source,
    lengths and the shifted targets. The loss is the mean cross-entropy over
    all real tokens. The gradient's global norm is clipped to ``max_norm``.
    ``report(step, steps, loss)`` is called after every ``every``-th step.

    Returns:
        The loss of each step, before it was taken, as floats.
    """
    # BEGIN SOLUTION train (TODO 6 of 6): as in any training loop; padding is not predicted. About 14 lines.
    losses = []
    for step in range(1, steps + 1):
        source, lengths, targets = next(batches)
        optimizer.zero_grad()
        logits, _ = model(source, lengths, shift_right(targets))
        loss = F.cross_entropy(
            logits.flatten(0, 1), targets.flatten(), ignore_index=PAD
        )
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), max_norm)
        optimizer.step()
        losses.append(loss.item())
        if report is not None and step % every == 0:
            report(step, steps, losses[-1])
    return losses
    # END SOLUTION
