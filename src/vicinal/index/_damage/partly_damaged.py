"""Answers of an index that is damaged in part: what is damaged is done without, and a warning names it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from copy import copy
from typing import TYPE_CHECKING, Protocol, TypeVar

from vicinal._store import Documents, Lost, Store
from vicinal._warn import warn
from vicinal.errors import DamagedIndex, DamagedPart, VicinalError

if TYPE_CHECKING:
    from vicinal.index._index_state import IndexState
    from vicinal.index._search.search_state import SearchState

Answer = TypeVar("Answer")
#: Ids that a warning names.
NAMED = 20


class _Reads(Protocol):
    def _reading(self) -> AbstractContextManager[IndexState]: ...

    def _reading_documents(self) -> AbstractContextManager[IndexState]: ...


class _Searches(Protocol):
    _store: Store

    def _searching(self) -> AbstractContextManager[SearchState]: ...


def asked(reader: _Reads, ask: Callable[[IndexState], Answer], without: str) -> Answer:
    """Ask one state of an index; where its model is damaged, the same state as if it had never been fitted, with a warning.

    Parameters
    ----------
    reader : Index or Snapshot
    ask : function from IndexState to an answer
    without : str
        What the answer does without, as a sentence for the warning.

    Raises
    ------
    DamagedIndex
        The question cannot be answered without what is damaged.
    """
    try:
        with reader._reading() as state:
            return ask(state)
    except DamagedIndex as error:
        damage = error
    try:
        with reader._reading_documents() as state:
            answer = ask(state)
    except VicinalError:
        raise damage from None
    warn(f"{damage} {without}", DamagedPart)
    return answer


def searched(reader: _Searches, ask: Callable[[SearchState], Answer]) -> Answer:
    """Search one state of an index; where it is damaged, without documents that cannot be read, or by full text alone.

    Parameters
    ----------
    reader : Index, Snapshot or SearchOnly
    ask : function from SearchState to an answer

    Raises
    ------
    DamagedIndex
        Nothing of it can be answered.
    """
    try:
        with reader._searching() as state:
            return ask(state)
    except DamagedIndex as error:
        damage = error
    for fitted, states in ((True, reader._searching), (False, lambda: _unfitted(reader._store))):
        unreadable: dict[int, Lost] = {}
        try:
            with states() as state:
                answer = ask(_careful(state, unreadable))
        except VicinalError:
            continue
        how = "" if fitted else "The full text alone was searched. Run vicinal repair."
        warn(" ".join(filter(None, (str(damage), how, sentence_on_lost(unreadable.values())))), DamagedPart)
        return answer
    raise damage


@contextmanager
def _unfitted(store: Store) -> Iterator[SearchState]:
    """The state of a file as if it had never been fitted: nothing of the model is read, not even whether there is one."""
    from vicinal.index._search.search_state import SearchState

    with store.reading():
        yield SearchState(store, None, store.commits())


def _careful(state: SearchState, unreadable: dict[int, Lost]) -> SearchState:
    """The same state, whose unreadable documents are collected instead of raising an error."""
    careful = copy(state)
    careful.__dict__["documents"] = Documents(state.store, unreadable)
    return careful


def sentence_on_lost(lost: Iterable[Lost]) -> str:
    """Which documents cannot be read; empty where all can."""
    ids = [str(each) for each in lost]
    if not ids:
        return ""
    more = f" and {len(ids) - NAMED:,} more" if len(ids) > NAMED else ""
    return f"{len(ids):,} document{'' if len(ids) == 1 else 's'} cannot be read: {', '.join(ids[:NAMED])}{more}."
