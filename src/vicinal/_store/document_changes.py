"""What one call changes of the documents, so that what depends on them can follow without looking at all of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import final

from vicinal._store.checksums import expected_tallies
from vicinal._store.store import Store


@final
@dataclass
class Changes:
    """Documents that a call has added, replaced or removed, and by how much the tally of their table has changed.

    If the tally that there was before the call, with these numbers added, is the tally of now, nobody else has changed a document
    since.

    Parameters
    ----------
    numbers : list of int
        Of documents whose content is new, or which are gone; one whose file was moved is the same.
    n_rows, total : int
        How many more documents there are, and by how much the sum of their checksums is larger.
    note : callable or None
        Called inside each transaction, when its changes are counted here.
    """

    numbers: list[int] = field(default_factory=list)
    n_rows: int = 0
    total: int = 0
    note: Callable[[], None] | None = field(default=None, compare=False)

    @contextmanager
    def followed(self, store: Store) -> Iterator[None]:
        """Add what the block changes, inside a transaction.

        Parameters
        ----------
        store : Store
        """
        n_before, before = expected_tallies(store)["documents"]
        yield
        n_rows, total = expected_tallies(store)["documents"]
        self.n_rows += n_rows - n_before
        self.total += total - before
        if self.note is not None:
            self.note()
