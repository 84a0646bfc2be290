"""Neighbours of documents that came after the fit: those of the fit that lend them terms in search.

A fit finds neighbours exactly, by all terms. Here the rarest terms of a document decide, as many as have a limited number of
entries in the lists of documents by term, so that what it costs depends little on how many documents there are.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import scipy.sparse as sp

from vicinal._matrix import csr, row_norms
from vicinal._store import Arrays, PartialArray, Store
from vicinal._typing import Floats, IntArray, Integers, SparseMatrix, Terms
from vicinal.index import _stored
from vicinal.index._model import Model
from vicinal.index._recipe import requested
from vicinal.index._search.stored_postings import has_postings
from vicinal.terms import Weighting
from vicinal.terms._schemes import bm25_document_frequency, saturated
from vicinal.terms._weight import weigh

#: Entries of lists of documents that are looked at for one document, but those of its rarest term in any case. On 200,000 abstracts
#: that finds 54 of 100 neighbours that all terms would, in 0.65 CPU seconds for 1,000 documents; four times as many: 69, in 1.7.
MOST_ENTRIES = 10_000


def put_lenders(store: Store, model: Model, counts: Terms) -> None:
    """Keep what the neighbours of later documents are found by: how long the vectors of documents are. There are none yet.

    Parameters
    ----------
    store : Store
        Inside a transaction that has saved the rows of a fit.
    model : Model
    counts : sparse (documents, terms)
    """
    lengths = row_norms(_weights(model.vocabulary.bm25, counts)).astype(np.float32)
    Arrays(store).put(_stored.NORMS, lengths)
    Arrays(store).put(_stored.LATER_LENDERS, sp.csr_array((0, len(lengths)), dtype=np.float32))


def append_lenders(store: Store, model: Model, counts: Terms) -> None:
    """Keep the neighbours of documents that came since, before their rows are appended; none where the fit left nothing for it."""
    if has_lenders(store):
        n_neighbors = requested(store, {}).n_neighbors
        Arrays(store).append(_stored.LATER_LENDERS, found_lenders(store, model.vocabulary.bm25, counts, n_neighbors))


def has_lenders(store: Store) -> bool:
    """Whether neighbours are kept of every document that came since the fit: earlier versions keep none."""
    arrays = Arrays(store)
    if not arrays.has(_stored.LATER_LENDERS) or not has_postings(store):
        return False
    n_fitted, n_rows = _stored.n_fitted_to(store), arrays.outline(_stored.NUMBERS).shape[0]
    kept = arrays.outline(_stored.LATER_LENDERS).shape, arrays.outline(_stored.NORMS).shape
    return kept == ((n_rows - n_fitted, n_fitted), (n_fitted,))


def found_lenders(store: Store, bm25: Weighting, counts: Terms, n_neighbors: int) -> SparseMatrix:
    """The nearest documents of the fit for each of some documents, with weights that add up to one.

    Parameters
    ----------
    store : Store
    bm25 : Weighting
        Of the model.
    counts : sparse (documents, terms)
    n_neighbors : int

    Returns
    -------
    sparse (documents, documents of the fit), float32
    """
    asked = _rarest(_weights(bm25, counts), bm25.document_frequencies_)
    terms: IntArray = np.unique(asked.indices).astype(np.int64)
    similar: SparseMatrix = sp.csr_array(asked[:, terms] @ _unit_postings(Arrays(store), bm25, terms))
    return _nearest(similar, n_neighbors)


def _weights(bm25: Weighting, counts: Terms) -> SparseMatrix:
    """BM25 of counts that the model has made, which are not validated again."""
    return csr(weigh(bm25, csr(counts).astype(np.float64, copy=False)))


def _rarest(weights: SparseMatrix, frequencies: IntArray) -> SparseMatrix:
    """The weights of the rarest terms of each document, as long as their lists are not too long, in documents of length one."""
    n_terms = np.diff(weights.indptr)
    rows, df = np.repeat(np.arange(len(n_terms)), n_terms), frequencies[weights.indices]
    order = np.lexsort((weights.indices, df, rows))
    so_far = np.cumsum(df[order])
    before, is_first = np.concatenate([[0], so_far])[weights.indptr[:-1]], np.zeros(len(rows), dtype=bool)
    is_first[weights.indptr[:-1][n_terms > 0]] = True
    kept = np.zeros(len(rows), dtype=bool)
    kept[order] = is_first | (so_far - before[rows] <= MOST_ENTRIES)
    values = (weights.data / row_norms(weights)[rows]).astype(np.float32)[kept]
    found: SparseMatrix = sp.csr_array((values, (rows[kept], weights.indices[kept])), shape=weights.shape)
    return found


def _unit_postings(arrays: Arrays, bm25: Weighting, terms: IntArray) -> SparseMatrix:
    """Some terms x documents of the fit: BM25 weights, in documents of length one. Only the blocks of these terms are read."""
    postings, norms = PartialArray(arrays, _stored.POSTINGS), np.asarray(arrays.get(_stored.NORMS))
    lists = [postings.entries(term) for term in terms.tolist()]
    sizes = [len(documents) for documents, _ in lists]
    documents = np.concatenate([np.zeros(0, dtype=np.int32), *(each for each, _ in lists)])
    tf = np.concatenate([np.zeros(0), *(each for _, each in lists)])
    relative = np.asarray(arrays.get(_stored.LENGTHS)) / (bm25.average_length_ or 1.0)
    idf = bm25_document_frequency(bm25.document_frequencies_[terms], bm25.n_documents_)
    values = saturated(tf, relative[documents], bm25.k1, bm25.b) * np.repeat(idf, sizes) / norms[documents]
    found: SparseMatrix = sp.csr_array(
        (values.astype(np.float32), documents, np.cumsum([0, *sizes])), shape=(len(terms), len(norms))
    )
    return found


def _nearest(similar: SparseMatrix, n_neighbors: int) -> SparseMatrix:
    """The largest entries of each row, the first of equal ones, divided by their sum."""
    kept = [_largest(similar.indices[a:b], similar.data[a:b], n_neighbors) for a, b in pairwise(similar.indptr.tolist())]
    starts = np.cumsum([0, *(len(documents) for documents, _ in kept)])
    columns = np.concatenate([np.zeros(0, dtype=np.int32), *(documents for documents, _ in kept)])
    values = np.concatenate([np.zeros(0, dtype=np.float32), *(near / near.sum() for _, near in kept)])
    found: SparseMatrix = sp.csr_array((values.astype(np.float32), columns, starts), shape=similar.shape)
    return found


def _largest(documents: Integers, near: Floats, n: int) -> tuple[Integers, Floats]:
    """The nearest documents, in their order; of equally near ones the first."""
    if len(near) > n:
        enough = near >= np.partition(near, len(near) - n)[len(near) - n]
        documents, near = documents[enough], near[enough]
    best = np.lexsort((documents, -near))[:n]
    best = best[np.argsort(documents[best])]
    return documents[best], near[best]
