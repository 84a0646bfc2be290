"""The embedding of all documents that a classifier is given, labelled or not: RLPI without labels."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import Any

from vicinal._typing import Terms
from vicinal.errors import NoNeighbors, TooFewDocuments, TooFewTerms, VicinalWarning
from vicinal.methods import RLPI
from vicinal.projection import LinearMap


def embedding_of_all(weights: Terms, n_neighbors: int, settings: Mapping[str, Any]) -> LinearMap | None:
    """The projection, with as many neighbours as there can be; None where there are too few documents or terms to have one."""
    method: Any = RLPI(n_neighbors=min(n_neighbors, weights.shape[0] - 1), **settings)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", VicinalWarning)  # of components and neighbours that nobody asked for by number
        try:
            return method.fit(weights).projection_  # type: ignore[no-any-return]
        except (TooFewDocuments, TooFewTerms, NoNeighbors):
            return None
