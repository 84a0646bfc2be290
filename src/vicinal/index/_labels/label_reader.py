"""The documents to label next, as `Index` and `Snapshot` both give them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING

from vicinal._store import Label
from vicinal._validate import check_count
from vicinal.index._labels.proposals import ask
from vicinal.index._recipe import load_recipe
from vicinal.index._results import Prediction

if TYPE_CHECKING:
    from vicinal.index._index_state import IndexState


class LabelReader(ABC):
    """What can be asked of an index that is being labelled."""

    @abstractmethod
    def _reading(self) -> AbstractContextManager[IndexState]:
        """The state that is asked, for as long as the block lasts."""

    @abstractmethod
    def _reading_documents(self) -> AbstractContextManager[IndexState]:
        """The same state as if it had never been fitted."""

    def labels(self) -> dict[str, Label]:
        """Return the labels in force: those that documents were read with, and those given later in place of them.

        Returns
        -------
        dict from str to Label
            By the id of the document, in the order in which documents were added; documents without a label are left out.

        Examples
        --------
        >>> import vicinal
        >>> index = vicinal.open("labels.vic", create=True)
        >>> added = index.add([vicinal.Document("a", "wheat exports fell", label="farm"), vicinal.Document("b", "a goal")])
        >>> index.labels()
        {'a': Label(label='farm', origin='document')}
        """
        with self._reading_documents() as state:
            found = state.labels()
            numbers = sorted(found)
            return {id: found[number] for id, number in zip(state.documents.ids(numbers), numbers, strict=True)}

    def ask(self, n: int = 20) -> list[Prediction]:
        """Find the documents whose labels would teach most: uncertain ones, each typical of many others, and no two similar.

        Label them by `Index.label` and ask again. Before the first label it gives documents that are typical of the whole index.

        Parameters
        ----------
        n : int, default=20
            How many at most.

        Returns
        -------
        list of Prediction
            The most useful first, each with the class that it has by the present labels; the class is empty before there are any.

        Raises
        ------
        BadParameter
            ``n`` is no count.
        TooFewDocuments
            The index is not fitted.

        Examples
        --------
        >>> import vicinal
        >>> index = vicinal.open("ask.vic", create=True)
        >>> texts = ["wheat and corn", "corn harvest", "wheat harvest", "a goal in the match", "the match was won", "goal won"]
        >>> added = index.add(vicinal.Document(f"d{i}", text) for i, text in enumerate(texts))
        >>> fitted = index.fit(n_clusters=2)
        >>> len(index.ask(2))
        2
        """
        with self._reading() as state:
            state.require_fitted("ask")
            return ask(state, check_count("n", n), load_recipe(state.store).random_state)
