"""The graph of agreement: documents that several clusterings put together, joined as strongly as they agree."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, final

import numpy as np
import scipy.sparse as sp

from vicinal._typing import ArrayLike, FloatArray, IntArray
from vicinal._validate import check_labels, check_number
from vicinal.errors import BadParameter
from vicinal.graph._graph import Graph


@final
@dataclass(frozen=True, eq=False)
class AgreementGraph(Graph):
    """W = F Fᵀ (G10): F holds, for each clustering v and group g of it, √(share_v / size_g) for the members of g.

    Within one clustering this is its class graph, with degree one for every document, so large groups do not drown small ones.
    Never stored: a product costs two with F, which has one entry per document and clustering, and the spectrum is found in closed
    form from the small matrix Fᵀ D⁻¹ F.

    Attributes
    ----------
    factor : sparse (documents, groups of all clusterings)
    """

    factor: Any

    @property
    def n_documents(self) -> int:
        """How many documents."""
        return int(self.factor.shape[0])

    @cached_property
    def degrees(self) -> FloatArray:
        """The sum of the shares of the clusterings in which the document has a group."""
        return np.asarray(self.factor @ (self.factor.T @ np.ones(self.n_documents)))

    def matmul(self, Y: FloatArray) -> FloatArray:
        """Return W @ Y."""
        return np.asarray(self.factor @ (self.factor.T @ Y))

    def restrict(self, documents: IntArray) -> AgreementGraph:
        """Return the graph among these documents; what an edge weighs stays what it was."""
        return AgreementGraph(sp.csr_array(self.factor[documents]))

    def skeleton(self) -> Any:
        """Join each document to the first member of each of its groups."""
        entries = self.factor.tocoo()
        first = np.full(self.factor.shape[1], self.n_documents, dtype=np.int64)
        np.minimum.at(first, entries.col, entries.row)
        joined = (np.ones(entries.nnz), (entries.row, first[entries.col]))
        return sp.csr_array(joined, shape=(self.n_documents, self.n_documents))

    def __repr__(self) -> str:
        return f"AgreementGraph({self.n_documents:,} documents, {self.factor.shape[1]} groups)"


def agreement(labelings: Sequence[ArrayLike], *, shares: Sequence[float] | None = None) -> AgreementGraph:
    """Join documents that clusterings put together (G10), the more of them the stronger.

    Parameters
    ----------
    labelings : sequence of labels
        Each one label per document; -1 is no group.
    shares : sequence of float, optional
        How much each clustering counts; all the same by default.
    """
    if len(labelings) == 0:
        raise BadParameter("agreement needs at least one clustering, got none. Pass a list of label arrays.")
    n_documents = len(np.asarray(labelings[0]))
    shares = [1.0] * len(labelings) if shares is None else shares
    if len(shares) != len(labelings):
        raise BadParameter(f"agreement needs one share per clustering, got {len(shares)} shares for {len(labelings)}.")
    blocks = [
        _memberships(check_labels(labels, n_documents), check_number("each share", share))
        for labels, share in zip(labelings, shares, strict=True)
    ]
    factor = sp.csr_array(sp.hstack(blocks))
    factor.eliminate_zeros()  # a clustering that does not count joins nobody
    return AgreementGraph(factor)


def _memberships(labels: IntArray, share: float) -> Any:
    known = np.flatnonzero(labels >= 0)
    sizes = np.bincount(labels[known], minlength=1)
    values = np.sqrt(share / sizes[labels[known]])
    return sp.csr_array((values, (known, labels[known])), shape=(len(labels), len(sizes)))
