"""Why a few documents have their scores: what is known of these alone is kept, so that reasons can be told long after a search."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import final

import numpy as np

from vicinal._typing import BoolArray, FloatArray, IntArray
from vicinal.uses._ranking_candidates import NEIGHBORS, Candidates, Direction, FirstPass, Sampled
from vicinal.uses._retrieved import Parts
from vicinal.uses._scores import Scale


@final
@dataclass(frozen=True, eq=False)
class Few:
    """A few documents with what their scores are made of.

    Attributes
    ----------
    at : dict from int to int
        From a document to its position in the arrays.
    names : tuple of str
        Of the terms.
    terms : float array (k, terms)
        What each term contributes.
    again : bool array (k,)
        Whether the document was scored again, as a candidate.
    direction : Direction or None
    embeddings : float array (k, components)
    mean : float array (components,)
        Of all embeddings.
    scale : Scale
        Of the cosines.
    z : float array (k,)
        Of the cosine of each.
    neighbors : float array (k,)
    """

    at: dict[int, int]
    names: tuple[str, ...]
    terms: FloatArray
    again: BoolArray
    direction: Direction | None
    embeddings: FloatArray
    mean: FloatArray
    scale: Scale
    z: FloatArray
    neighbors: FloatArray

    @classmethod
    def of(cls, first: FirstPass, again: Candidates, sampled: Sampled, rows: IntArray) -> Few:
        """What is known of some documents."""
        found = np.array([again.position(row) for row in rows.tolist()], dtype=np.int64)
        there, at, scale = found >= 0, np.maximum(found, 0), again.by_cosine
        worth, z = np.zeros((len(rows), len(first.terms.terms))), np.zeros(len(rows))
        worth[there], z[there] = again.terms[found[there]], again.z[found[there]]
        if not there.all():
            worth[~there] = first.terms.of(rows[~there])
            z[~there] = [(math.fsum(each) - first.by_terms.mean) / first.by_terms.spread for each in worth[~there]]
        terms = (worth - first.terms.means) / first.by_terms.spread * np.abs(z)[:, None]
        none = np.zeros(len(rows))
        cosines, neighbors = (each[at] if len(each) else none for each in (again.cosines, again.neighbors))
        near = np.asarray(sampled.embeddings[rows])
        position = {row: k for k, row in enumerate(rows.tolist())}
        return cls(
            position, first.terms.names, terms, there, again.direction, near, sampled.mean, scale, scale.z(cosines), neighbors
        )

    @property
    def kinds(self) -> tuple[Callable[[int], Parts], ...]:
        """What explains each kind of evidence."""
        return self.of_terms, self.of_embedding, self.of_neighbors

    def of_terms(self, document: int) -> Parts:
        """What each term of the query contributes to one of the documents."""
        return self.names, self.terms[self.at[document]]

    def of_embedding(self, document: int) -> Parts:
        """What each term contributes through the embedding, if it was scored again; the first answers are one more part."""
        at, direction = self.at[document], self.direction
        if not self.again[at] or direction is None:
            return (), np.zeros(0)
        return direction.names, deviations(direction, self.embeddings[at], self.mean, self.scale, float(self.z[at]))

    def of_neighbors(self, document: int) -> Parts:
        """What matching neighbours contribute."""
        at = self.at[document]
        return ((NEIGHBORS,), self.neighbors[[at]]) if self.again[at] and self.neighbors[at] > 0 else ((), np.zeros(0))


def deviations(direction: Direction, embedding: FloatArray, mean: FloatArray, scale: Scale, z: float) -> FloatArray:
    """What each part of a direction contributes to the surprise of one document."""
    return np.asarray(direction.parts @ (np.asarray(embedding, dtype=np.float64) - mean) / scale.spread * abs(z))
