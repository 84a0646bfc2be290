"""Bounds of what any selection of so many terms can reach, and the number of terms by them (P29, P29')."""

from __future__ import annotations

import numpy as np

from vicinal._typing import FloatArray


def subset_bounds(values: FloatArray, n_components: int, n_terms: int) -> tuple[float, float]:
    """The least and the largest sum of the first eigenvalues over all selections of so many terms (P29).

    Parameters
    ----------
    values : float array (terms,)
        Eigenvalues λ of the pencil of all terms, largest first.
    n_components : int
        How many are added up.
    n_terms : int
        How many terms are selected, at least ``n_components`` and at most all.
    """
    left_out = len(values) - n_terms
    return float(np.sum(values[left_out : left_out + n_components])), float(np.sum(values[:n_components]))


def n_terms_by_bounds(values: FloatArray, n_components: int, share: float) -> int:
    """The fewest terms for which no selection reaches less than a share of what all terms reach (P29')."""
    for n_terms in range(n_components, len(values) + 1):
        lower, upper = subset_bounds(values, n_components, n_terms)
        if lower >= share * upper:
            return n_terms
    return len(values)
