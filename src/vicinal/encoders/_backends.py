"""The backends: sentence-transformers, and model2vec for static weights. Each is imported when an encoder of it is loaded."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, final

import numpy as np

from vicinal._typing import Floats
from vicinal.encoders._weights import EXTRA
from vicinal.errors import MissingExtra

BATCH = 32  # texts that a transformer encodes at a time


@final
class SentenceEncoder:
    """A transformer that sentence-transformers runs; each text is cut at the number of tokens that the model takes."""

    def __init__(self, folder: Path) -> None:
        try:
            from sentence_transformers import SentenceTransformer
        except ImportError:
            raise MissingExtra(f"{folder} needs sentence-transformers, which is not installed. {EXTRA}") from None
        self._model: Any = SentenceTransformer(str(folder), local_files_only=True)

    def encode(self, texts: Sequence[str]) -> Floats:
        """One vector of length one per text."""
        return np.asarray(
            self._model.encode(list(texts), batch_size=BATCH, normalize_embeddings=True, show_progress_bar=False), dtype=np.float32
        )


@final
class StaticEncoder:
    """Means of one vector per token, which model2vec computes: hundreds of times faster than a transformer."""

    def __init__(self, folder: Path) -> None:
        try:
            from model2vec import StaticModel
        except ImportError:
            raise MissingExtra(f"{folder} needs model2vec, which is not installed. {EXTRA}") from None
        self._model: Any = StaticModel.from_pretrained(folder)

    def encode(self, texts: Sequence[str]) -> Floats:
        """One vector per text."""
        return np.asarray(self._model.encode(list(texts), show_progress_bar=False, use_multiprocessing=False), dtype=np.float32)
