"""What is asked of one state of an index to filter and show its documents: `IndexState` and `SearchState` both have it."""

from __future__ import annotations

from typing import Protocol

from vicinal._store import Documents, Store
from vicinal._typing import IntArray


class NumberedRows(Protocol):
    """Documents that the present model has embedded, a row each."""

    @property
    def numbers(self) -> IntArray:
        """The number of each document in the store, rising."""

    def row(self, number: int) -> int:
        """The row of a document, -1 where it has none."""


class Searched(Protocol):
    """One state of an index."""

    @property
    def store(self) -> Store:
        """The open file."""

    @property
    def documents(self) -> Documents:
        """The documents of the file."""

    @property
    def fitted(self) -> bool:
        """Whether the index has a model."""

    @property
    def rows(self) -> NumberedRows:
        """The embedded documents."""

    @property
    def cluster_numbers(self) -> IntArray:
        """The number of the cluster of each row, -1 for none."""

    def cluster_names(self) -> dict[int, str]:
        """The names of the clusters by their numbers."""

    def require_fitted(self, verb: str) -> None:
        """Refuse an index without a model; the verb says what it is needed for."""


class Queried(Searched, Protocol):
    """One state of an index of which words can be required, too."""

    def numbers_with_form(self, word: str, field: str | None) -> IntArray:
        """Numbers of the documents that have a word in a form that the full text does not know, in any text or in one field."""
