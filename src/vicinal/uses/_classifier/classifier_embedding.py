"""The embedding of all documents that a classifier is given, labelled or not: RLPI without labels."""

from __future__ import annotations

import warnings

from vicinal._typing import Terms
from vicinal.errors import NoNeighbors, TooFewDocuments, TooFewTerms, VicinalWarning
from vicinal.methods import RLPI
from vicinal.methods._base import fit_of_checked
from vicinal.projection import LinearMap


def embedding_of_all(weights: Terms, method: RLPI) -> LinearMap | None:
    """The projection that a method finds; None where there are too few documents or terms to have one."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", VicinalWarning)  # of components and neighbours that nobody asked for by number
        try:
            return fit_of_checked(method, weights).projection_
        except (TooFewDocuments, TooFewTerms, NoNeighbors):
            return None
