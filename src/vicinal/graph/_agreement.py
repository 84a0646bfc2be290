"""The co-association graph of several clusterings: documents are joined by the clusterings that put them together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import final

import numpy as np
import scipy.sparse as sp

from vicinal._matrix import csr
from vicinal._typing import FloatArray, IntArray, LabelsLike, SparseMatrix
from vicinal._validate import check_labels, check_number
from vicinal.errors import BadParameter
from vicinal.graph._graph import Graph
from vicinal.graph._implicit import numbered_without_gaps


@final
@dataclass(frozen=True, eq=False)
class AgreementGraph(Graph):
    """A graph that joins documents which several clusterings put together, W = F Fᵀ (G10).

    F holds, for each clustering v and cluster g of it, √(share_v / size_g) for the members of g. Within one clustering this is
    its class graph, with degree one for every document, so that large clusters do not outweigh small ones. It is not stored: a
    product costs two products with F, which has one entry per document and clustering, and the spectrum is found in closed form
    from the small matrix Fᵀ D⁻¹ F.

    Parameters
    ----------
    factor : scipy.sparse.csr_array of shape (n_documents, n_clusters_in_all)
        F.

    See Also
    --------
    agreement : Makes one from labels.

    References
    ----------
    .. [1] A. Strehl, J. Ghosh. Cluster Ensembles: A Knowledge Reuse Framework for Combining Multiple Partitions. JMLR 3, 2002.

    Examples
    --------
    >>> from vicinal.graph import agreement
    >>> graph = agreement([[0, 0, 1, 1], [0, 0, 0, 1]])
    >>> graph
    AgreementGraph(4 documents, 4 clusters)
    >>> graph.degrees
    array([2., 2., 2., 2.])
    """

    factor: SparseMatrix

    @property
    def n_documents(self) -> int:
        """Number of documents."""
        return int(self.factor.shape[0])

    @cached_property
    def degrees(self) -> FloatArray:
        """The sum of the shares of the clusterings in which a document has a cluster."""
        return np.asarray(self.factor @ (self.factor.T @ np.ones(self.n_documents)))

    def matmul(self, Y: FloatArray) -> FloatArray:
        """Return W @ Y, by two products with F.

        Parameters
        ----------
        Y : ndarray of shape (n_documents, n_columns)
            One column per function on the documents.

        Returns
        -------
        ndarray of shape (n_documents, n_columns)
            For each document the weighted sum over its neighbours.
        """
        return np.asarray(self.factor @ (self.factor.T @ Y))

    def restrict(self, documents: IntArray) -> AgreementGraph:
        """Return the graph among some of the documents.

        Parameters
        ----------
        documents : int array of shape (n,)
            Numbers of the documents to keep, in the order that they are to have.

        Returns
        -------
        AgreementGraph
            The weights of edges stay what they were.
        """
        return AgreementGraph(sp.csr_array(self.factor[documents]))

    def skeleton(self) -> SparseMatrix:
        """Return a sparse matrix with few entries and the same connected components.

        Returns
        -------
        scipy.sparse.csr_array of shape (n_documents, n_documents)
            Each document joined to the first member of each of its clusters.
        """
        entries = self.factor.tocoo()
        first = np.full(self.factor.shape[1], self.n_documents, dtype=np.int64)
        np.minimum.at(first, entries.col, entries.row)
        joined = (np.ones(entries.nnz), (entries.row, first[entries.col]))
        return csr(joined, shape=(self.n_documents, self.n_documents))

    def __repr__(self) -> str:
        return f"AgreementGraph({self.n_documents:,} documents, {self.factor.shape[1]} clusters)"


def agreement(labelings: Sequence[LabelsLike], *, shares: Sequence[float] | None = None) -> AgreementGraph:
    """Join documents that clusterings put together (G10), the more of them the stronger.

    Parameters
    ----------
    labelings : sequence of array-like of shape (n_documents,)
        One clustering each: a label per document, -1 for no cluster.
    shares : sequence of float, optional
        How much each clustering counts; 1 each by default.

    Returns
    -------
    AgreementGraph
        The co-association graph.

    Raises
    ------
    BadParameter
        There is no clustering, or not one share per clustering.
    BadLabels
        A clustering has not one label per document.

    References
    ----------
    .. [1] A. Strehl, J. Ghosh. Cluster Ensembles: A Knowledge Reuse Framework for Combining Multiple Partitions. JMLR 3, 2002.

    Examples
    --------
    >>> from vicinal.graph import agreement
    >>> agreement([[0, 0, 1], [0, 1, 1]], shares=[2.0, 1.0]).degrees
    array([3., 3., 3.])
    """
    if len(labelings) == 0:
        raise BadParameter("agreement needs at least one clustering, got none. Pass a list of label arrays.")
    n_documents = len(np.asarray(labelings[0]))
    shares = [1.0] * len(labelings) if shares is None else shares
    if len(shares) != len(labelings):
        raise BadParameter(
            f"agreement needs one share per clustering, got {len(shares)} shares for {len(labelings)}. "
            f"Pass as many shares as clusterings."
        )
    checked = [check_labels(labels, n_documents) for labels in labelings]
    return agreement_of_checked(checked, [check_number("each share", share) for share in shares])


def agreement_of_checked(labelings: Sequence[IntArray], shares: Sequence[float]) -> AgreementGraph:
    """As :func:`agreement`, for labels as ``check_labels`` returns them, of which clusters may be empty, and shares not below 0."""
    blocks = [_memberships(numbered_without_gaps(labels), share) for labels, share in zip(labelings, shares, strict=True)]
    factor = sp.csr_array(sp.hstack(blocks))
    factor.eliminate_zeros()  # a clustering with a share of zero has no edges
    return AgreementGraph(factor)


def _memberships(labels: IntArray, share: float) -> SparseMatrix:
    known = np.flatnonzero(labels >= 0)
    sizes = np.bincount(labels[known], minlength=1)
    values = np.sqrt(share / sizes[labels[known]])
    return csr((values, (known, labels[known])), shape=(len(labels), len(sizes)))
