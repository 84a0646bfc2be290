"""Affinities: how strongly the neighbours of a graph attract each other in a layout, each document as much as any other (N1)."""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp

from vicinal._matrix import csr
from vicinal._typing import SparseMatrix


def affinities_of(weights: SparseMatrix) -> SparseMatrix:
    """The weights of a graph, each row divided by its sum, made symmetric and of sum one; the diagonal is left out.

    Parameters
    ----------
    weights : csr (documents, documents)
        Symmetric; every row has an entry beside the diagonal.
    """
    others = csr(weights - sp.diags_array(weights.diagonal())).astype(np.float64)
    others.eliminate_zeros()
    walk = csr(sp.diags_array(1.0 / np.asarray(others.sum(axis=1)).ravel()) @ others)
    both = csr(walk + walk.T)
    both.sort_indices()
    return csr(both * (1.0 / float(both.sum())))
