"""The vocabulary: count tokens, merge the forms of one stem, and keep terms that are neither too rare nor too frequent."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from numbers import Integral

import numpy as np
import scipy.sparse as sp

from vicinal._matrix import csr, small_indices
from vicinal._typing import BoolArray, FloatArray, IntArray, SparseMatrix
from vicinal._validate import check_count, check_number
from vicinal.errors import BadData, BadParameter, EmptyCorpus

#: Tokens held before they are summed into counts: limits the memory, and a block that fits in cache is sorted faster.
BLOCK_TOKENS = 1 << 18


class _Numbering(dict[str, int]):
    """Assigns each new term the next free number."""

    def __missing__(self, term: str) -> int:
        self[term] = number = len(self)
        return number


def count_tokens(documents: Iterable[Iterable[str]]) -> tuple[SparseMatrix, list[str]]:
    """Count how often each term occurs in each document: (T1), with the terms in the order of their first occurrence.

    The counts are those of scikit-learn's ``CountVectorizer``, in half the time: no line of Python runs per token.

    Returns
    -------
    counts : csr_array of int32, shape (documents, terms)
    terms : list of str, one per column
    """
    numbering = _Numbering()
    number_of = numbering.__getitem__
    blocks: list[SparseMatrix] = []
    tokens, ends = array("i"), [0]
    for document in documents:
        tokens.extend(map(number_of, document))
        ends.append(len(tokens))
        if len(tokens) >= BLOCK_TOKENS:
            blocks.append(_sum_block(tokens, ends, len(numbering)))
            tokens, ends = array("i"), [0]
    blocks.append(_sum_block(tokens, ends, len(numbering)))
    terms = list(numbering)
    refuse_non_strings(terms)
    return _stack(blocks, len(terms)), terms


def _sum_block(tokens: array[int], ends: list[int], n_terms: int) -> SparseMatrix:
    columns = np.frombuffer(tokens, dtype=np.intc) if tokens else np.zeros(0, dtype=np.intc)
    ones = np.ones(columns.size, dtype=np.int32)
    block = csr((ones, columns, np.asarray(ends, dtype=np.intc)), shape=(len(ends) - 1, n_terms))
    block.sum_duplicates()  # in the memory of ``tokens``, which is not used again
    return block


def _stack(blocks: list[SparseMatrix], n_terms: int) -> SparseMatrix:
    for block in blocks:  # early blocks lack the terms that came later
        block.resize(block.shape[0], n_terms)
    return csr(sp.vstack(blocks, format="csr"))


def refuse_non_strings(terms: Sequence[object]) -> None:
    """Raise BadData at the first term that is not a str."""
    for term in terms:
        if not isinstance(term, str):
            raise BadData(f"the analyzer must return tokens of type str, got {type(term).__name__} {term!r:.80}. Use str(token).")


def merge_columns(counts: SparseMatrix, columns: Sequence[int] | IntArray, n_columns: int) -> SparseMatrix:
    """Add up the columns with the same target: (T2), C S with a 0/1 matrix S; a column with target -1 is left out."""
    targets = np.asarray(columns, dtype=np.int64)
    sources = np.flatnonzero(targets >= 0)
    ones = np.ones(sources.size, dtype=counts.dtype)
    selection = sp.csr_array((ones, (sources, targets[sources])), shape=(counts.shape[1], n_columns))
    merged: SparseMatrix = sp.csr_array(counts @ selection)
    merged.sort_indices()
    return small_indices(merged)


def document_frequencies(counts: SparseMatrix) -> IntArray:
    """In how many documents each term occurs; ``counts`` must be canonical, without explicit zeros."""
    return np.bincount(counts.indices, minlength=counts.shape[1]).astype(np.int64, copy=False)


@dataclass(frozen=True)
class TermLimits:
    """Which terms are kept: those in at least ``min_df`` and at most ``max_df`` documents, and the most frequent of these.

    A whole number counts documents, a float is a share of them: ``max_df=1`` is one document, ``max_df=1.0`` is all.
    """

    min_df: int | float
    max_df: int | float
    max_terms: int | None = None

    def check(self) -> None:
        """Raise BadParameter for limits that no corpus could meet."""
        lowest, highest = _check_limit("min_df", self.min_df), _check_limit("max_df", self.max_df)
        if type(lowest) is type(highest) and lowest > highest:
            raise BadParameter(
                f"min_df must not exceed max_df, got min_df={self.min_df!r} and max_df={self.max_df!r}. Use a larger max_df."
            )
        if self.max_terms is not None:
            check_count("max_terms", self.max_terms)

    def choose(self, counts: SparseMatrix, terms: list[str]) -> IntArray:
        """Return the columns of ``counts`` to keep (T3), in alphabetical order of their ``terms``."""
        within = np.flatnonzero(self.within(counts))
        columns = np.array(sorted(within.tolist(), key=terms.__getitem__), dtype=np.int64)
        if self.max_terms is None or columns.size <= self.max_terms:
            return columns
        occurrences = np.bincount(counts.indices, weights=counts.data, minlength=counts.shape[1])
        most_frequent = np.argsort(-occurrences[columns], kind="stable")[: self.max_terms]  # ties: alphabet
        chosen: IntArray = columns[np.sort(most_frequent)]
        return chosen

    def left_out(self, counts: SparseMatrix, terms: Sequence[str], kept: IntArray, rare: bool) -> dict[str, int]:
        """The document frequencies of terms without a column: of common ones, and of ``rare`` ones too where these may come."""
        frequencies = document_frequencies(counts)
        out = np.ones(len(terms), dtype=bool) if rare else _in_unit_of(self.max_df, frequencies, counts.shape[0]) > self.max_df
        out[kept] = False
        return {terms[column]: int(frequencies[column]) for column in np.flatnonzero(out).tolist()}

    def entering(self, seen: dict[str, int], n_documents: int, n_known: int) -> list[str]:
        """The terms, of those seen in so many documents each, that get a column beside those known: in alphabetical order."""
        frequencies = np.array(list(seen.values()), dtype=np.int64)
        rare = _in_unit_of(self.min_df, frequencies, n_documents) < self.min_df
        common = _in_unit_of(self.max_df, frequencies, n_documents) > self.max_df
        within = sorted(term for term, kept in zip(seen, ~rare & ~common, strict=True) if kept)
        if self.max_terms is None:
            return within
        return sorted(sorted(within, key=lambda term: -seen[term])[: max(0, self.max_terms - n_known)])

    def within(self, counts: SparseMatrix) -> BoolArray:
        """Which columns of ``counts`` lie between the limits; raise EmptyCorpus if none does."""
        frequencies, n_documents = document_frequencies(counts), counts.shape[0]
        rare = _in_unit_of(self.min_df, frequencies, n_documents) < self.min_df
        common = _in_unit_of(self.max_df, frequencies, n_documents) > self.max_df
        kept: BoolArray = ~rare & ~common
        if not kept.any():
            raise EmptyCorpus(self._nothing_left(counts.shape, int(rare.sum()), int(common.sum())))
        return kept

    def _nothing_left(self, shape: tuple[int, int], rare: int, common: int) -> str:
        n_documents, n_terms = shape
        return (
            f"the document-frequency limits leave no terms: of {n_terms} in {n_documents} documents, {rare} are "
            f"in fewer than min_df={self.min_df!r} and {common} in more than max_df={self.max_df!r} "
            f"(a whole number counts documents, a float is a share). Use min_df=1, or max_df=1.0, or add documents."
        )


def _check_limit(name: str, limit: object) -> int | float:
    if isinstance(limit, Integral):
        return check_count(name, limit)
    share = check_number(name, limit)
    if share > 1:
        raise BadParameter(f"{name} as a float is a share of documents between 0 and 1, got {limit!r}. Use an int for a count.")
    return share


def _in_unit_of(limit: object, frequencies: IntArray, n_documents: int) -> IntArray | FloatArray:
    """Frequencies as counts or as shares. Shares are divided, not multiplied out, so that 29 of 100 is exactly 0.29."""
    return frequencies if isinstance(limit, Integral) else frequencies / n_documents


def refuse_without_terms(shape: tuple[int, int]) -> None:
    """Raise EmptyCorpus when nothing was read, or nothing but stop words."""
    n_documents, n_terms = shape
    if n_documents == 0:
        raise EmptyCorpus(
            "there are no documents: got an empty iterable, and a vocabulary is learnt from documents. Pass at least one."
        )
    if n_terms == 0:
        raise EmptyCorpus(
            f"splitting into tokens left no terms: none of the {n_documents} documents has a word of 2 to 64 letters "
            f"and digits that is not a stop word. Check what was read, or use stop_words=None, or your own analyzer."
        )
