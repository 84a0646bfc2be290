"""What loaders return: documents with labels, counts with labels, or documents with queries and judged answers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import overload

import numpy as np

from vicinal._typing import IntArray, Terms
from vicinal.corpus import Document
from vicinal.errors import BadParameter

#: The number of a document without a label, as every method of the library takes it.
UNLABELLED = -1
SUBSETS = ("all", "train", "test")


@dataclass(frozen=True, eq=False, repr=False)
class Dataset(Sequence[Document]):
    """Documents with their labels: a sequence of `Document` that also gives texts and labels as methods take them.

    Parameters
    ----------
    documents : tuple of Document
        The documents, in the order of the corpus.
    label_names : tuple of str
        The classes; the label of a document is its position here. A class may have no document, as in a subset.

    Attributes
    ----------
    documents : tuple of Document
        As given.
    label_names : tuple of str
        As given.

    Examples
    --------
    >>> from vicinal import Document
    >>> from vicinal.datasets import Dataset
    >>> dataset = Dataset((Document("1", "red rose", label="garden"), Document("2", "rye bread")), ("garden", "kitchen"))
    >>> dataset.texts
    ['red rose', 'rye bread']
    >>> dataset.labels.tolist()
    [0, -1]
    >>> dataset
    Dataset(2 documents, 2 classes)
    """

    documents: tuple[Document, ...]
    label_names: tuple[str, ...]

    @classmethod
    def of(cls, documents: Iterable[Document]) -> Dataset:
        """Make a dataset of documents, with the classes that occur among their labels, sorted.

        Parameters
        ----------
        documents : iterable of Document
            Each with its label; an empty label means that none is known.

        Returns
        -------
        Dataset
            The documents in the order given.

        Examples
        --------
        >>> from vicinal import Document
        >>> from vicinal.datasets import Dataset
        >>> Dataset.of([Document("1", "rye bread", label="kitchen")]).label_names
        ('kitchen',)
        """
        kept = tuple(documents)
        return cls(kept, tuple(sorted({document.label for document in kept} - {""})))

    @property
    def texts(self) -> list[str]:
        """The title and text of each document, as a `Vectorizer` takes them.

        Returns
        -------
        list of str
        """
        return [document.full_text for document in self.documents]

    @property
    def labels(self) -> IntArray:
        """The class of each document: its position in ``label_names``, or -1 where no label is known.

        Returns
        -------
        ndarray of int64, shape (n_documents,)
        """
        number = {name: position for position, name in enumerate(self.label_names)}
        return np.array([number.get(document.label, UNLABELLED) for document in self.documents], dtype=np.int64)

    @overload
    def __getitem__(self, position: int) -> Document: ...

    @overload
    def __getitem__(self, position: slice) -> Dataset: ...

    def __getitem__(self, position: int | slice) -> Document | Dataset:
        if isinstance(position, slice):
            return replace(self, documents=self.documents[position])
        return self.documents[position]

    def __iter__(self) -> Iterator[Document]:
        return iter(self.documents)

    def __len__(self) -> int:
        return len(self.documents)

    def __repr__(self) -> str:
        return f"Dataset({len(self.documents):,} documents, {len(self.label_names):,} classes)"


@dataclass(frozen=True, eq=False)
class CountDataset:
    """Counts of terms with labels: a corpus that is distributed without its texts.

    Parameters
    ----------
    counts : csr_array of float64, shape (n_documents, n_terms)
        How often each term occurs in each document.
    labels : ndarray of int64, shape (n_documents,)
        The class of each document.
    label_names : tuple of str
        The classes.

    Attributes
    ----------
    counts, labels, label_names
        As given.

    Examples
    --------
    >>> import numpy as np
    >>> import scipy.sparse as sp
    >>> from vicinal.datasets import CountDataset
    >>> dataset = CountDataset(sp.csr_array([[2.0, 0.0], [0.0, 1.0]]), np.array([0, 1]), ("garden", "kitchen"))
    >>> dataset.label_names[dataset.labels[1]]
    'kitchen'
    """

    counts: Terms
    labels: IntArray
    label_names: tuple[str, ...]


@dataclass(frozen=True)
class RetrievalDataset:
    """Documents, queries, and the documents that were judged relevant to each query.

    Parameters
    ----------
    name : str
        The collection.
    documents : tuple of Document
        The documents; their ids are their numbers in the collection, from 1.
    queries : tuple of str
        The queries.
    relevant : tuple of frozenset of int
        For each query, the positions in ``documents`` of those judged relevant; empty for a query without judgements.

    Attributes
    ----------
    name, documents, queries, relevant
        As given.

    Examples
    --------
    >>> from vicinal import Document
    >>> from vicinal.datasets import RetrievalDataset
    >>> dataset = RetrievalDataset("toy", (Document("1", "rye bread"),), ("bread", "trains"), (frozenset({0}), frozenset()))
    >>> dataset.judged
    (0,)
    """

    name: str
    documents: tuple[Document, ...]
    queries: tuple[str, ...]
    relevant: tuple[frozenset[int], ...]

    @property
    def texts(self) -> list[str]:
        """The title and text of each document.

        Returns
        -------
        list of str
        """
        return [document.full_text for document in self.documents]

    @property
    def judged(self) -> tuple[int, ...]:
        """Positions of the queries that have judgements.

        Returns
        -------
        tuple of int
        """
        return tuple(position for position, found in enumerate(self.relevant) if found)


def check_subset(subset: str) -> str:
    """Return the name of a part of a corpus, or refuse it."""
    if subset not in SUBSETS:
        raise BadParameter(f"subset must be 'all', 'train' or 'test', got {subset!r}. Use subset='all' for both parts.")
    return subset


def in_subset(document: Document, subset: str) -> bool:
    """Whether a document belongs to a part of its corpus, by its metadata."""
    return subset in ("all", document.metadata["subset"])
