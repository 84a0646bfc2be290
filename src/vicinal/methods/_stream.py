"""What a fit that goes on keeps of the documents so far, and how a batch is joined to it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, final

import numpy as np
import scipy.sparse as sp

from vicinal._matrix import csr, dense, is_sparse
from vicinal._threads import single_threaded_libraries
from vicinal._typing import FloatArray, LabelsLike, Terms
from vicinal._validate import check_labels, plain_labels
from vicinal.graph import Neighbors
from vicinal.spectrum import Spectrum


@final
@dataclass(frozen=True, eq=False)
class Stream:
    """The documents so far, and what was learnt of them.

    Attributes
    ----------
    X : documents x terms
        A copy, to which a batch adds rows, and columns at the end.
    labels : list or None
        One per document, None where a batch had none; None where no batch had labels.
    near : Neighbors or None
        The neighbours of each document, where the graph is of neighbours.
    functions : Spectrum or None
        The responses, and the guards that were filtered with them.
    degrees : float array (documents,) or None
        Of the graph of these functions.
    weights : float array (terms, components) or None
        What the responses were regressed to.
    found : Spectrum or None
        The functions of all documents, before the responses among them are regressed.
    """

    X: Terms
    labels: list[Any] | None = None
    near: Neighbors | None = None
    functions: Spectrum | None = None
    degrees: FloatArray | None = None
    weights: FloatArray | None = None
    found: Spectrum | None = None

    @classmethod
    def of(cls, X: Terms, y: LabelsLike | None) -> Stream:
        """Begin with a batch."""
        return cls(X.copy(), _labels(y, X.shape[0]))

    def joined(self, X: Terms, y: LabelsLike | None) -> Stream:
        """The same with the rows and the labels of a batch; what was learnt is of the first documents then."""
        labels, added = self.labels, _labels(y, X.shape[0])
        if labels is not None or added is not None:
            labels = (labels or [None] * self.X.shape[0]) + (added or [None] * X.shape[0])
        return replace(self, X=stacked(self.X, X), labels=labels)

    def learnt(self, weights: FloatArray, degrees: FloatArray) -> Stream:
        """The same, of all documents now: what was found has been regressed to these weights."""
        return replace(self, functions=self.found, found=None, degrees=degrees, weights=weights)

    def start(self, responses: Spectrum) -> FloatArray | None:
        """Weights to begin at: those of before for the functions that the responses are now, zero for new terms (P44)."""
        if self.weights is None or self.functions is None or self.degrees is None:
            return None
        before = self.functions.vectors[:, : self.weights.shape[1]]
        now = responses.vectors[: len(before)]
        start = np.zeros((self.X.shape[1], len(responses)))
        with single_threaded_libraries():
            turn = before.T @ (self.degrees[:, None] * now) / self.degrees.sum()
            start[: len(self.weights)] = self.weights @ turn
        return start


def _labels(y: LabelsLike | None, n_documents: int) -> list[Any] | None:
    """The labels of a batch as a list, after the checks that ``fit`` makes."""
    if y is None:
        return None
    check_labels(y, n_documents)  # of this batch alone, so that an error names its own documents
    return list(np.ravel(np.asarray(plain_labels(y), dtype=object)))


def stacked(before: Terms, batch: Terms) -> Terms:
    """The rows of both, in the form of the first, whose new columns are zero."""
    n_terms = batch.shape[1]
    if is_sparse(before):
        wider = csr((before.data, before.indices, before.indptr), shape=(before.shape[0], n_terms))
        return csr(sp.vstack([wider, csr(batch)], format="csr"))
    padded = np.pad(before, ((0, 0), (0, n_terms - before.shape[1])))
    return np.vstack([padded, dense(batch)])
