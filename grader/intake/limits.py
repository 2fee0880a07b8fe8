"""How much of a hand-in is looked at: one place for every number."""

from __future__ import annotations

import msgspec

MIB = 1 << 20


class Limits(msgspec.Struct, frozen=True):
    """Caps of intake; a hand-in past one of them gets a message, never a crash.

    A download as a whole may be large (300 students with a plot in every
    notebook): its entries are read one by one, so only what one hand-in costs
    is capped tightly.
    """

    source_bytes: int = MIB  # one .py file, or all code cells of one notebook
    notebook_bytes: int = 16 * MIB  # one notebook with its outputs
    archive_bytes: int = 64 * MIB  # one archive inside a download
    read_bytes: int = 128 * MIB  # all that is read of one hand-in
    files: int = 5_000  # files in one hand-in
    tree_files: int = 500_000  # files in a whole download
    depth: int = 16  # folders in folders
    archive_depth: int = 2  # archives in archives: a download, and one inside it
    ratio: int = 200  # unpacked bytes for each packed byte ...
    ratio_from_bytes: int = MIB  # ... counted from this size on
    packed_tar_bytes: int = 256 * MIB  # kept in memory of one .tar.gz
    stream_bytes: int = 8_192 * MIB  # ever unpacked of one .tar.gz
    directory_bytes: int = 64 * MIB  # the table of contents of one zip
    metadata_bytes: int = 64 * MIB  # Gradescope's submission_metadata.yml
    kept_notebook_bytes: int = MIB // 4  # a larger notebook is kept as cells only

    def inner(self) -> Limits:
        """The limits of an archive that one student made."""
        return msgspec.structs.replace(
            self,
            tree_files=2 * self.files,
            packed_tar_bytes=self.read_bytes,
            stream_bytes=2 * self.read_bytes,
            directory_bytes=4 * MIB,
        )
