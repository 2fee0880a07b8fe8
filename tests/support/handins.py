"""Builders of hand-ins: right answers in few lines, archives with hostile bytes."""

import io
import json
import struct
import tarfile
import zipfile
import zlib

EXERCISES = [
    "masked_softmax",
    "bahdanau_attention",
    "packed_lstm",
    "forget_bias",
    "truncated_bptt",
]
ASKS = {
    "masked_softmax": ["masked_softmax"],
    "bahdanau_attention": ["BahdanauAttention"],
    "packed_lstm": ["encode_packed", "last_hidden"],
    "forget_bias": ["init_forget_bias"],
    "truncated_bptt": ["detach_hidden", "train_truncated_bptt"],
}
SOFTMAX = b"def masked_softmax(scores, mask, dim=-1):\n    return scores\n"
FORGET = b"def init_forget_bias(lstm, value=1.0):\n    pass\n"


def notebook(*cells, nbformat=4, minor=5, **metadata):
    """A notebook of code cells, as bytes."""
    made = [
        {"cell_type": "code", "metadata": {}, "outputs": [], "source": c} for c in cells
    ]
    return json.dumps(
        {
            "nbformat": nbformat,
            "nbformat_minor": minor,
            "metadata": metadata,
            "cells": made,
        }
    ).encode()


def zip_bytes(files):
    """A well-formed zip of name -> bytes."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED)
    return out.getvalue()


def raw_zip(*entries):
    """A zip written by hand.

    Each entry is a dict: ``name`` (bytes), ``data``, and any of ``flags``,
    ``method``, ``mode``, ``crc``, ``size`` (as stated), ``offset`` (as stated).
    """
    body, table = b"", b""
    for entry in entries:
        name, data = entry["name"], entry.get("data", SOFTMAX)
        method = entry.get("method", 8)
        deflate = zlib.compressobj(9, zlib.DEFLATED, -15)
        packed = deflate.compress(data) + deflate.flush() if method == 8 else data
        crc = entry.get("crc", zlib.crc32(data))
        size, flags = entry.get("size", len(data)), entry.get("flags", 0)
        offset = entry.get("offset", len(body))
        fields = (flags, method, 0, 0x21, crc, len(packed), size, len(name))
        body += struct.pack("<4s5H3L2H", b"PK\3\4", 20, *fields, 0) + name + packed
        table += struct.pack(
            "<4s6H3L5H2L",
            b"PK\1\2",
            (3 << 8) | 20,
            20,
            *fields,
            0,
            0,
            0,
            0,
            entry.get("mode", 0o100644) << 16,
            offset,
        )
        table += name
    end = (b"PK\5\6", 0, 0, len(entries), len(entries), len(table), len(body), 0)
    return body + table + struct.pack("<4s4H2LH", *end)


def tar_bytes(files, mode="w", extra=()):
    """A tar of name -> bytes, then ``extra`` TarInfo members without content."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode=mode) as archive:
        for name, data in files.items():
            member = tarfile.TarInfo(name)
            member.size, member.mtime = len(data), 1_770_000_000
            archive.addfile(member, io.BytesIO(data))
        for member in extra:
            archive.addfile(member)
    return out.getvalue()


def tar_member(name, kind, link=""):
    """A link, device or FIFO for ``tar_bytes``."""
    member = tarfile.TarInfo(name)
    member.type, member.linkname = kind, link
    return member


def write(folder, files):
    """Write name -> bytes (or text) below ``folder``; returns the folder."""
    for name, data in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data.encode() if isinstance(data, str) else data)
    return folder
