"""Seed words of Topics: a few words name a class, and the documents that have most of them are what its cluster starts from."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TypeAlias, final

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from vicinal._content_keys import Keys, keys_of_rows
from vicinal._matrix import csr, nonzero_rows
from vicinal._typing import FloatArray, IntArray, LabelsLike, SparseMatrix, TermNames, Terms
from vicinal._warn import warn
from vicinal.errors import BadParameter, UnknownWords
from vicinal.uses._document_input import DocumentReader, classes_of

#: Words by the name of their class.
SeedWords: TypeAlias = "Mapping[str, Iterable[str]]"
#: Columns of terms by the name of their class.
Columns: TypeAlias = "dict[object, list[int]]"

DOMINANCE = 2.0  # how many times the seed words of a class must count those of every other class in a document
MOST, SHARE, FEWEST = 20, 0.1, 3  # documents that a class starts from: at most so many, and such a share of all; but so few always
TWICE = 2  # occurrences of seed words that a document should have
EXAMPLE = 'Use seed_words={"rugby": ["scrum", "lineout"]}'


@final
@dataclass(frozen=True, eq=False)
class KnownClasses:
    """What is known of the classes of documents.

    Attributes
    ----------
    names : array of object or None
        None where nothing is known, as all of it.
    labels : int array (documents,) or None
        The class of each document, -1 for none.
    suggested : bool array (documents,) or None
        Whether it is from seed words, which only suggest it; None without seed words.
    """

    names: NDArray[np.object_] | None
    labels: IntArray | None
    suggested: NDArray[np.bool_] | None = None

    @property
    def fixed(self) -> IntArray | None:
        """Known classes without those that are only suggested."""
        return self.labels if self.labels is None or self.suggested is None else np.where(self.suggested, -1, self.labels)


def with_labels(y: LabelsLike | None, rows: Terms) -> KnownClasses:
    """What labels say; those of documents without terms are not used."""
    if y is None:
        return KnownClasses(None, None)
    names, labels = classes_of(y, rows.shape[0], nonzero_rows(rows))
    return KnownClasses(np.asarray(names, dtype=object).ravel(), labels) if len(names) else KnownClasses(None, None)


@final
@dataclass(frozen=True, eq=False)
class Vocabulary:
    """The names of the terms, and which of them a word, or each word of a phrase, is read as."""

    names: NDArray[np.object_]
    columns_of: Callable[[str], list[int]]
    why_unknown: str = "no document has it as a term: it is missing, too rare (min_df), too common (max_df) or a stop word"


def with_seed_words(
    seed_words: SeedWords | None, reader: DocumentReader, names: TermNames, rows: Terms, known: KnownClasses
) -> KnownClasses:
    """Add the classes of seed words to those of labels, and the documents that they suggest to the labelled ones.

    Parameters
    ----------
    seed_words : mapping from class to words, or None
    reader : DocumentReader
    names : array of str or None
        The terms.
    rows : documents x terms
        As the reader reads them.
    known : KnownClasses
        From labels, which are kept.
    """
    if seed_words is None:
        return known
    words, counts = check_seed_words(seed_words), reader.log_counts(rows)
    if names is None or counts is None:
        got = "a matrix without names of its columns" if names is None else "negative weights, which cannot be counted"
        raise BadParameter(f"seed_words are looked up in the terms of documents, got {got}. Give texts, or a data frame of counts.")
    vocabulary = Vocabulary(names, lambda word: reader.columns_of(word, names))
    return with_terms_of_classes(terms_by_class(words, vocabulary), csr(counts), keys_of_rows(rows, names), known)


def with_terms_of_classes(columns: Columns, counts: SparseMatrix, keys: Keys, known: KnownClasses) -> KnownClasses:
    """Add classes that terms stand for to those of labels, and the documents that they suggest to the labelled ones.

    Parameters
    ----------
    columns : mapping from class to columns of terms
    counts : documents x terms
        Logarithms of counts.
    keys : uint64 array (documents,)
        The order of documents that have the terms equally often.
    known : KnownClasses
    """
    classes = _names(known.names, columns)
    labels = np.full(counts.shape[0], -1, dtype=np.int64) if known.labels is None else known.labels
    owners = np.array([list(classes).index(name) for name in columns], dtype=np.int64)
    chosen = _suggest(counts, list(columns.values()), labels < 0, keys)
    _refuse_without_documents(list(columns), chosen, np.isin(owners, labels))
    return KnownClasses(classes, np.where(chosen >= 0, owners[chosen], labels), chosen >= 0)


def check_seed_words(seed_words: object) -> dict[object, list[str]]:
    """The words of each class, the classes in the order of their names."""
    if not isinstance(seed_words, Mapping) or not seed_words:
        raise BadParameter(f"seed_words must be words by the name of their class, got {seed_words!r}. {EXAMPLE}.")
    unnamed = [name for name in seed_words if name is None or name == -1]
    if unnamed:
        raise BadParameter(f"seed_words cannot name a class {unnamed[0]!r}, which means no label. {EXAMPLE}.")
    return {name: _words(name, seed_words[name]) for name in sorted(seed_words, key=lambda name: (str(name), repr(name)))}


def _words(name: object, words: object) -> list[str]:
    listed = list(words) if isinstance(words, Iterable) and not isinstance(words, str | bytes | Mapping) else []
    if not listed or not all(isinstance(word, str) for word in listed):
        raise BadParameter(f"seed_words[{name!r}] must be a list of one or more words, got {words!r}. {EXAMPLE}.")
    return sorted(set(listed))


def _names(of_labels: NDArray[np.object_] | None, columns: Columns) -> NDArray[np.object_]:
    """The classes of labels, then those that only seed words name."""
    names = [] if of_labels is None else list(of_labels)
    names += [name for name in columns if name not in set(names)]
    texts = [str(name) for name in names]
    twice = sorted({text for text in texts if texts.count(text) > 1})
    if twice:
        same = " and ".join(repr(name) for name, text in zip(names, texts, strict=True) if text == twice[0])
        raise BadParameter(f"the class {twice[0]} is named twice, as {same}, and would be two clusters. Use one spelling.")
    return np.array([*names, None], dtype=object)[:-1]


def terms_by_class(words: Mapping[object, list[str]], vocabulary: Vocabulary) -> Columns:
    """The terms of the words of each class; a term that would speak for two classes is refused."""
    found = {name: _columns(name, each, vocabulary) for name, each in words.items()}
    owner: dict[int, object] = {}
    for name, columns in found.items():
        for column in columns:
            if owner.setdefault(column, name) != name:
                raise BadParameter(
                    f"seed_words have {str(vocabulary.names[column])!r} for both {owner[column]!r} and {name!r}, "
                    f"so it tells neither apart. Leave it out of one of them."
                )
    return found


def _columns(name: object, words: list[str], vocabulary: Vocabulary) -> list[int]:
    """The terms of the words of one class, without those that no document has."""
    found = [vocabulary.columns_of(word) for word in words]
    unknown = [word for word, columns in zip(words, found, strict=True) if not columns]
    named = ", ".join(map(repr, unknown))
    why = vocabulary.why_unknown
    if len(unknown) == len(words):
        raise BadParameter(f"seed_words[{name!r}] has no known word, got {named}: {why}. Use words of the documents.")
    if unknown:
        warn(f"seed_words[{name!r}] has {named}, but {why}. Continuing with its other words.", UnknownWords)
    return sorted({column for columns in found for column in columns})


def _suggest(counts: SparseMatrix, columns: list[list[int]], free: NDArray[np.bool_], keys: Keys) -> IntArray:
    """The class that seed words suggest for each document, -1 for most (V21)."""
    scores = np.column_stack([_sums(counts, each) for each in columns])
    best = np.argmax(scores, axis=1)
    first = scores[np.arange(len(best)), best]
    others = scores.copy()
    others[np.arange(len(best)), best] = 0.0
    clear = free & (first > 0) & (first >= DOMINANCE * others.max(axis=1))
    chosen = np.full(len(best), -1, dtype=np.int64)
    limit = max(FEWEST, min(MOST, int(SHARE * len(best))))
    for number in range(len(columns)):
        candidates = np.flatnonzero(clear & (best == number))
        chosen[_top(candidates, first[candidates], keys[candidates], limit)] = number
    return chosen


def _sums(counts: SparseMatrix, columns: list[int]) -> FloatArray:
    return np.asarray(sp.csc_array(counts)[:, columns].sum(axis=1), dtype=np.float64).ravel()


def _top(documents: IntArray, scores: FloatArray, keys: Keys, limit: int) -> IntArray:
    """The documents with the largest scores; those with one occurrence only where few have more."""
    more = scores > np.log(TWICE) * (1 + 1e-9)
    if np.count_nonzero(more) >= FEWEST:
        documents, scores, keys = documents[more], scores[more], keys[more]
    return documents[np.lexsort((keys, -scores))][:limit]


def _refuse_without_documents(names: list[object], chosen: IntArray, labelled: NDArray[np.bool_]) -> None:
    """Refuse a class that neither a document with its words nor a label stands for."""
    for number, name in enumerate(names):
        if not labelled[number] and not np.any(chosen == number):
            raise BadParameter(
                f"no document can start the class {name!r}: wherever its seed_words occur, those of another class count more than "
                f"half as much, or there is a label. Use words that occur apart from those of other classes."
            )
