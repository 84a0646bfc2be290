"""The symmetric form of W y = λ D y: S = D^-½ W D^-½, whose eigenvectors are D^½ y (S2)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import final

import numpy as np
import scipy.sparse as sp

from vicinal._matrix import csr
from vicinal._typing import FloatArray, SparseMatrix
from vicinal.graph import AgreementGraph, Graph, SparseGraph

OUT_OF_THE_WAY = -2.0


@final
@dataclass(frozen=True, eq=False)
class Symmetric:
    """S of one connected graph. Its largest eigenvalue is 1, with the eigenvector √d, which is known and left out."""

    graph: Graph

    @property
    def size(self) -> int:
        """How many documents."""
        return self.graph.n_documents

    @cached_property
    def roots(self) -> FloatArray:
        """D^½ as a vector."""
        return np.sqrt(self.graph.degrees)

    @cached_property
    def trivial(self) -> FloatArray:
        """√d of length one: what the constant function becomes in the symmetric form."""
        return np.asarray(self.roots / np.linalg.norm(self.roots))

    @cached_property
    def _stored(self) -> SparseMatrix | None:
        if not isinstance(self.graph, SparseGraph):
            return None
        scale = sp.diags_array(1.0 / self.roots)
        return csr(scale @ self.graph.weights @ scale)

    @cached_property
    def factor(self) -> SparseMatrix | None:
        """B with S = B Bᵀ, sparse and narrow, where the graph is made of one; else None."""
        if not isinstance(self.graph, AgreementGraph):
            return None
        return csr(sp.diags_array(1.0 / self.roots) @ self.graph.factor)

    def apply(self, V: FloatArray) -> FloatArray:
        """Return S @ V for a block of columns."""
        if self._stored is not None:
            return np.asarray(self._stored @ V)
        scale = (1.0 / self.roots)[:, None]
        return scale * self.graph.matmul(scale * V)

    def apply_deflated(self, V: FloatArray, to: float = OUT_OF_THE_WAY) -> FloatArray:
        """Return S @ V with the trivial eigenvalue moved from 1 to where no other can be: S has all its own in [-1, 1]."""
        return self.apply(V) + (to - 1.0) * np.outer(self.trivial, self.trivial @ V)

    def residuals(self, values: FloatArray, V: FloatArray) -> FloatArray:
        """‖S v - λ v‖ for each column of length one (S6)."""
        return np.asarray(np.linalg.norm(self.apply(V) - V * values, axis=0))
