"""The table of weights of terms: each is a local part, of one document, times a global one; NumPy alone is needed for them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from vicinal._typing import FloatArray, IntArray

LocalWeight: TypeAlias = Callable[[FloatArray, FloatArray, float, float], FloatArray]
GlobalWeight: TypeAlias = Callable[[IntArray, int], FloatArray]


def raw(tf: FloatArray, relative_length: FloatArray, k1: float, b: float) -> FloatArray:
    """How often the term occurs in the document: tf (T4)."""
    return tf


def logarithmic(tf: FloatArray, relative_length: FloatArray, k1: float, b: float) -> FloatArray:
    """The logarithm of the count, so that further occurrences count less: 1 + ln tf (T5)."""
    weights: FloatArray = 1.0 + np.log(tf)
    return weights


def saturated(tf: FloatArray, relative_length: FloatArray, k1: float, b: float) -> FloatArray:
    """The local part of BM25, in which further occurrences, and those in long documents, count less (T10).

    tf (k1 + 1) / (tf + k1 (1 - b + b length / average length))
    """
    return tf / (tf + k1 * (1.0 - b + b * relative_length)) * (k1 + 1.0)


def inverse_document_frequency(df: IntArray, n_documents: int) -> FloatArray:
    """The inverse document frequency: ln(N / df) (T6), and 0 for a term in no document."""
    weights: FloatArray = np.where(df > 0, np.log(n_documents / np.maximum(df, 1)), 0.0)
    return weights


def bm25_document_frequency(df: IntArray, n_documents: int) -> FloatArray:
    """The inverse document frequency of BM25, above 0 for every term: ln(1 + (N - df + 1/2) / (df + 1/2)) (T9)."""
    weights: FloatArray = np.log1p((n_documents - df + 0.5) / (df + 0.5))
    return weights


@dataclass(frozen=True)
class WeightScheme:
    """A weight is a local part times a global part (``idf``); with ``cut``, rows are then scaled for the normalised cut."""

    local: LocalWeight
    idf: GlobalWeight | None = None
    cut: bool = False


SCHEMES: dict[str, WeightScheme] = {
    "tf": WeightScheme(raw),
    "log-tf": WeightScheme(logarithmic),
    "tfidf": WeightScheme(raw, inverse_document_frequency),  # (T7)
    "log-tfidf": WeightScheme(logarithmic, inverse_document_frequency),  # (T8)
    "bm25": WeightScheme(saturated, bm25_document_frequency),
    "ncw": WeightScheme(raw, cut=True),
}
