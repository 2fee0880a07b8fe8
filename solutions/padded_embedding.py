"""An embedding with a padding row (day 4, A.5).

Try it: make check EX=padded_embedding

A batch of sentences of different lengths is filled up with a padding token.
It is no word: its vector is zero, and training must leave it so. The lookup
is one index into a (V, D) matrix; what matters is everything around it.
Write it yourself, without nn.Embedding and F.embedding.
"""

import torch
from torch import nn


class PaddedEmbedding(nn.Module):
    """Lookup table of V rows whose padding row is zero and stays zero.

    ``weight`` is an nn.Parameter (V, D) under exactly this name; its rows are
    drawn, anew for each table, from a normal distribution of standard
    deviation 1, but for the padding row, which is zero.
    """

    def __init__(
        self, num_embeddings: int, embedding_dim: int, padding_idx: int
    ):
        """Make the table.

        Args:
            num_embeddings: V.
            embedding_dim: D.
            padding_idx: the id of the padding token, in 0..V-1.
        """
        super().__init__()
        self.num_embeddings = num_embeddings
        self.padding_idx = padding_idx
        # BEGIN SOLUTION PaddedEmbedding.__init__ (TODO 1 of 2): weight, with its padding row at zero. About 3 lines.
        table = torch.randn(num_embeddings, embedding_dim)
        table[padding_idx] = 0.0
        self.weight = nn.Parameter(table)
        # END SOLUTION

    def forward(self, ids: torch.Tensor) -> torch.Tensor:
        """Look up ``ids``.

        Args:
            ids: int64 (torch.long) of any shape, each in 0..V-1.

        Returns:
            (*ids.shape, D): the rows of ``weight``. Backward adds up the
            gradient of a row over all its places; the padding row gets a
            gradient of zeros.

        Raises:
            TypeError: ``ids`` is not int64.
            IndexError: an id is negative or at least V.
        """
        # BEGIN SOLUTION PaddedEmbedding.forward (TODO 2 of 2): refuse first; then the lookup, with no gradient at padding. About 8 lines.
        if ids.dtype != torch.long:
            raise TypeError(f"ids must be torch.long, not {ids.dtype}")
        if ((ids < 0) | (ids >= self.num_embeddings)).any():
            raise IndexError(f"ids must be in 0..{self.num_embeddings - 1}")
        rows = self.weight[ids]
        padding = (ids == self.padding_idx).unsqueeze(-1)
        return rows.masked_fill(padding, 0.0)
        # END SOLUTION
