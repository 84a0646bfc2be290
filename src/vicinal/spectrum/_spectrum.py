"""Spectrum: the smoothest functions on a graph, W y = λ D y."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np

from vicinal._typing import BoolArray, FloatArray, IntArray


@final
@dataclass(frozen=True, eq=False)
class Spectrum:
    """The smoothest functions on a graph, smoothest first, without the constant one.

    Attributes
    ----------
    values : float array (d,)
        λ, falling from 1; 1 - λ says how much a function varies between neighbours.
    vectors : float array (documents, d)
        Y. Each column has mean 0 and variance 1 over the documents weighted by degree, any two are uncorrelated (S4), the entry
        of largest size is positive. Documents outside the graph have 0.
    residuals : float array (d,)
        ‖D^-½ (W y - λ D y)‖ of each function scaled to ‖D^½ y‖ = 1.
    components : int array (documents,)
        Connected component of each document, 0 for the largest; -1 outside the graph.
    solver : str
        What found them: "exact", "dense", "lanczos" or "chebyshev"; two of them where components differ.
    """

    values: FloatArray
    vectors: FloatArray
    residuals: FloatArray
    components: IntArray
    solver: str

    @property
    def has_edges(self) -> BoolArray:
        """Which documents the functions speak of."""
        return self.components >= 0

    def __len__(self) -> int:
        """How many functions."""
        return len(self.values)

    def first(self, n_components: int) -> Spectrum:
        """Return the smoothest ``n_components`` functions alone."""
        keep = slice(0, n_components)
        return Spectrum(self.values[keep], self.vectors[:, keep], self.residuals[keep], self.components, self.solver)

    def __repr__(self) -> str:
        low, high = (np.min(self.values), np.max(self.values)) if len(self) else (np.nan, np.nan)
        return f"Spectrum({len(self)} functions on {len(self.components):,} documents, values {high:.4f} … {low:.4f})"
