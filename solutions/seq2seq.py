"""Sequence to sequence through one vector (day 4, 4.1 to 4.3).

Try it: make check EX=seq2seq

An encoder reads the source into one state; a decoder, a language model that
starts from this state, writes the target. In training it is fed the true
token before (teacher forcing), when it runs freely its own last choice; what
it has never seen in training is its own mistakes (exposure bias). Everything
passes through one vector of fixed size: the bottleneck that attention opens.
Arguments stay as they are, and everything is computed in the dtype of the
weights: the loss has that of the logits.
"""

import torch
import torch.nn.functional as F
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence


def shift_right(targets: torch.Tensor, bos: int) -> torch.Tensor:
    """What the decoder is fed so that it has to predict ``targets``.

    Args:
        targets: (B, T) int64.
        bos: the id that begins every sequence.

    Returns:
        (B, T) int64: ``bos``, then all targets but the last.
    """
    # BEGIN SOLUTION shift_right (TODO 1 of 6): at step t the decoder has seen the targets before t. About 2 lines.
    first = torch.full_like(targets[:, :1], bos)
    return torch.cat([first, targets[:, :-1]], dim=1)
    # END SOLUTION


def sequence_loss(
    logits: torch.Tensor, targets: torch.Tensor, pad: int
) -> torch.Tensor:
    """Mean cross-entropy over the real target tokens.

    Args:
        logits: (B, T, V).
        targets: (B, T) int64, filled up with ``pad``, which is not predicted.
        pad: the id of padding.

    Returns:
        0-d tensor; more padding changes nothing.
    """
    # BEGIN SOLUTION sequence_loss (TODO 2 of 6): one mean over all tokens of the batch that are not padding. About 3 lines.
    flat = logits.flatten(0, 1)  # (B, T, V) -> (B*T, V)
    return F.cross_entropy(flat, targets.flatten(), ignore_index=pad)
    # END SOLUTION


class Seq2Seq(nn.Module):
    """GRU encoder and GRU decoder that share an embedding.

    Layers, under these names: ``embed``, ``encoder``, ``decoder``, ``out``.
    """

    def __init__(self, vocab_size: int, embed_dim: int, hidden: int):
        """Make the layers (given)."""
        super().__init__()
        self.embed = nn.Embedding(vocab_size, embed_dim)
        self.encoder = nn.GRU(embed_dim, hidden, batch_first=True)
        self.decoder = nn.GRU(embed_dim, hidden, batch_first=True)
        self.out = nn.Linear(hidden, vocab_size)

    def encode(
        self, source: torch.Tensor, lengths: torch.Tensor
    ) -> torch.Tensor:
        """Read the source: (B, S) int64 with (B,) lengths in any order.

        Returns:
            (1, B, H): the state after each sample's last real token.
        """
        # BEGIN SOLUTION encode (TODO 3 of 6): padding must not reach the state, see packed_lstm. About 4 lines.
        packed = pack_padded_sequence(
            self.embed(source), lengths, batch_first=True, enforce_sorted=False
        )
        return self.encoder(packed)[1]
        # END SOLUTION

    def decode(
        self, inputs: torch.Tensor, state: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Run the decoder over given inputs.

        Args:
            inputs: (B, T) int64, what it is fed.
            state: (1, B, H), where it starts.

        Returns:
            logits: (B, T, V), for the token after each input.
            state: (1, B, H), where it ends.
        """
        # BEGIN SOLUTION decode (TODO 4 of 6): embed, run, map to the vocabulary. About 2 lines.
        output, state = self.decoder(self.embed(inputs), state)
        return self.out(output), state
        # END SOLUTION

    def forward(
        self,
        source: torch.Tensor,
        lengths: torch.Tensor,
        targets: torch.Tensor,
        bos: int,
    ) -> torch.Tensor:
        """Logits (B, T, V) for (B, T) ``targets`` under teacher forcing."""
        # BEGIN SOLUTION forward (TODO 5 of 6): encode, then decode the shifted targets. About 2 lines.
        inputs = shift_right(targets, bos)
        return self.decode(inputs, self.encode(source, lengths))[0]
        # END SOLUTION

    @torch.no_grad()
    def greedy(
        self,
        source: torch.Tensor,
        lengths: torch.Tensor,
        bos: int,
        eos: int,
        max_len: int,
    ) -> list[list[int]]:
        """Write the target alone: feed back the likeliest token, step by step.

        Returns:
            One list of ids for each sample: at most ``max_len``, up to and
            with the first ``eos`` if one comes, without ``bos``.
        """
        # BEGIN SOLUTION greedy (TODO 6 of 6): one step of decode at a time, then cut each row after its first eos. About 11 lines.
        state = self.encode(source, lengths)
        token = torch.full_like(source[:, :1], bos)
        steps = []
        for _ in range(max_len):
            logits, state = self.decode(token, state)
            token = logits.argmax(dim=-1)  # (B, 1)
            steps.append(token)
        rows = torch.cat(steps, dim=1).tolist()
        return [r[: r.index(eos) + 1] if eos in r else r for r in rows]
        # END SOLUTION
