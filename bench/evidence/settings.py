"""What Topics is given besides counts: nothing, an encoder's vectors, vectors that are noise, links of which some are wrong."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from bench.quality.material import Material
from vicinal._typing import Floats, IntArray
from vicinal.graph import links

PER_DOCUMENT = 2.0  # links that a document has on average, of either direction
WRONG = (0.0, 0.1, 0.25, 0.5, 0.75, 0.9, 1.0)  # shares of links that join two different classes
NOISE = (1.0, 3.0)  # length of the noise that is added to vectors of length one


@final
@dataclass(frozen=True)
class Setting:
    """One line of the table of a draw.

    Attributes
    ----------
    name : str
    given : function from documents, vectors and seed to what `Topics.fit` is given
    encoded : bool
        Whether it needs an encoder's vectors.
    """

    name: str
    given: Callable[[Material, Floats | None, int], dict[str, Any]]
    encoded: bool = False


def cited(classes: IntArray, wrong: float, seed: int) -> Any:
    """The graph of made-up citations: each document cites two on average, of its class or, with a known probability, of another."""
    random = np.random.RandomState(seed)
    order = np.argsort(classes, kind="stable")
    sizes = np.bincount(classes)
    first = np.cumsum(sizes) - sizes
    citing = np.repeat(np.arange(len(classes)), random.poisson(PER_DOCUMENT, len(classes)))
    own = classes[citing]
    other = (own + random.randint(1, len(sizes), len(citing))) % len(sizes)
    target = np.where(random.random_sample(len(citing)) < wrong, other, own)
    found = order[first[target] + (random.random_sample(len(citing)) * sizes[target]).astype(np.int64)]
    pairs = np.column_stack([citing, found])
    return links(pairs[citing != found], len(classes))


def _random(material: Material, vectors: Floats | None, seed: int) -> dict[str, Any]:
    return {"embeddings": np.random.RandomState(seed).standard_normal((len(material.classes), 384))}


def _noisy(size: float) -> Callable[[Material, Floats | None, int], dict[str, Any]]:
    def given(material: Material, vectors: Floats | None, seed: int) -> dict[str, Any]:
        assert vectors is not None
        noise = np.random.RandomState(seed).standard_normal(vectors.shape) / np.sqrt(vectors.shape[1])
        return {"embeddings": vectors + size * noise}

    return given


def _linked(wrong: float) -> Callable[[Material, Floats | None, int], dict[str, Any]]:
    return lambda material, vectors, seed: {"views": [cited(material.classes, wrong, seed)]}


SETTINGS = (
    Setting("terms", lambda material, vectors, seed: {}),
    Setting("encoder", lambda material, vectors, seed: {"embeddings": vectors}, encoded=True),
    Setting("random", _random),
    *(Setting(f"noise:{size:g}", _noisy(size), encoded=True) for size in NOISE),
    *(Setting(f"links:{wrong:g}", _linked(wrong)) for wrong in WRONG),
)
