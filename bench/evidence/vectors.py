"""Vectors of the documents of a draw, kept by the number of a document in its corpus, so that none is encoded twice."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np

from bench.quality.draws import Draw
from bench.quality.material import choose, documents
from bench.records import say
from vicinal._typing import Floats, IntArray
from vicinal.encoders import load_encoder

VARIABLE = "VICINAL_VECTORS"
CHARACTERS = 2_500  # of each text: encoders read the first 256 tokens
BATCH = 1_024  # texts after which vectors are kept


def folder() -> Path:
    """Where vectors are kept: the folder that VICINAL_VECTORS names, else .cache/vectors."""
    return Path(os.environ.get(VARIABLE, Path(__file__).resolve().parents[2] / ".cache" / "vectors"))


def vectors_of(draw: Draw, encoder: str | None) -> Floats:
    """The vectors of a draw; what is missing is encoded if an encoder is given."""
    texts, y = documents(draw)
    ids, file = choose(draw, y), folder() / f"{draw.source}.npz"
    known, vectors = _kept(file)
    missing = np.setdiff1d(ids, known)
    if len(missing) and encoder is None:
        raise FileNotFoundError(f"{len(missing)} vectors of {draw.name} are not in {file}. Run with --encoder NAME_OR_PATH.")
    for start in range(0, len(missing), BATCH):
        part = missing[start : start + BATCH]
        known, vectors = _kept_with(file, known, vectors, part, _encoded(str(encoder), [texts[i][:CHARACTERS] for i in part]))
        say(f"{draw.name}: {start + len(part):,} of {len(missing):,} texts encoded")
    return vectors[np.searchsorted(known, ids)]


_loaded: dict[str, Any] = {}


def _encoded(encoder: str, texts: list[str]) -> Floats:
    if encoder not in _loaded:
        _loaded[encoder] = load_encoder(encoder)
    return np.asarray(_loaded[encoder].encode(texts), dtype=np.float32)


def _kept(file: Path) -> tuple[IntArray, Floats]:
    if not file.exists():
        return np.empty(0, dtype=np.int64), np.empty((0, 0), dtype=np.float32)
    with np.load(file) as kept:
        return kept["ids"], kept["vectors"]


def _kept_with(file: Path, known: IntArray, vectors: Floats, ids: IntArray, more: Floats) -> tuple[IntArray, Floats]:
    """The same with more vectors, sorted by number, and written down."""
    known, vectors = np.append(known, ids), np.concatenate([vectors, more]) if len(known) else more
    order = np.argsort(known)
    file.parent.mkdir(parents=True, exist_ok=True)
    unfinished = file.with_suffix(".part.npz")
    np.savez(unfinished, ids=known[order], vectors=vectors[order])
    unfinished.replace(file)
    return known[order], vectors[order]
