"""`Spectrum`: the smoothest functions on a graph, with their eigenvalues and residuals, as `solve` returns them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np

from vicinal._typing import BoolArray, FloatArray, IntArray


@final
@dataclass(frozen=True, eq=False)
class Spectrum:
    """The smoothest functions on a neighbour graph, smoothest first, without the constant one.

    Attributes
    ----------
    values : ndarray of shape (n_components,)
        Eigenvalues λ, falling from 1; 1 - λ is how much a function varies between neighbours.
    vectors : ndarray of shape (n_documents, n_components)
        The functions Y. Each column has mean 0 and variance 1 over the documents weighted by degree, any two are uncorrelated
        (S4), and the entry of largest absolute value is positive. Documents without an edge have 0.
    residuals : ndarray of shape (n_components,)
        The residual ‖D^-½ (W y - λ D y)‖ of each function scaled to ‖D^½ y‖ = 1.
    connected_components : int array of shape (n_documents,)
        The connected component of each document, 0 for the largest; -1 for a document without an edge.
    solver : str
        The eigensolver: "exact", "dense", "lanczos" or "chebyshev"; several where connected components differ.

    See Also
    --------
    solve : Computes it.

    References
    ----------
    .. [1] M. Belkin, P. Niyogi. Laplacian Eigenmaps and Spectral Techniques for Embedding and Clustering. NIPS 2001.

    Examples
    --------
    >>> from vicinal import graph, spectrum
    >>> ring = graph.as_graph([[0, 1, 0, 1], [1, 0, 1, 0], [0, 1, 0, 1], [1, 0, 1, 0]])
    >>> found = spectrum.solve(ring, 2)
    >>> len(found), found.vectors.shape
    (2, (4, 2))
    """

    values: FloatArray
    vectors: FloatArray
    residuals: FloatArray
    connected_components: IntArray
    solver: str

    @property
    def has_edges(self) -> BoolArray:
        """Which documents have an edge, and so a value of each function."""
        return self.connected_components >= 0

    def __len__(self) -> int:
        """Number of functions."""
        return len(self.values)

    def first(self, n_components: int) -> Spectrum:
        """Return the smoothest functions alone.

        Parameters
        ----------
        n_components : int
            How many to keep.

        Returns
        -------
        Spectrum
            With so many functions, or all where there are fewer.
        """
        keep = slice(0, n_components)
        return Spectrum(self.values[keep], self.vectors[:, keep], self.residuals[keep], self.connected_components, self.solver)

    def __repr__(self) -> str:
        low, high = (np.min(self.values), np.max(self.values)) if len(self) else (np.nan, np.nan)
        return f"Spectrum({len(self)} functions on {len(self.connected_components):,} documents, values {high:.4f} … {low:.4f})"
