"""Rows of all documents that a query finds, to be drawn on the map, and of those that have its words, to be chosen."""

from __future__ import annotations

from vicinal._typing import FloatArray, IntArray
from vicinal.index._damage.partly_damaged import searched
from vicinal.index._search.one_query import find_holders, find_numbers
from vicinal.index._search.parsed_query import Options
from vicinal.serve import _limits
from vicinal.serve._state import State


def found_rows(state: State, query: str, where: str, limit: int) -> tuple[IntArray, FloatArray]:
    """Rows and relevance of the best documents for a query, best first.

    Parameters
    ----------
    state : State
    query, where : str
        As for `Index.search`.
    limit : int
        The number of documents at most.
    """
    options = Options(limit=limit, where=where.strip() or ())
    numbers, relevance = searched(state.snapshot, lambda search: find_numbers(search, query, options))
    return state.rows_of_numbers(numbers), relevance


def chosen_rows(state: State, query: str, where: str, limit: int) -> IntArray:
    """Rows of the best documents that a query finds by its words, best first; of all that it finds where none has them.

    A search ranks documents that are only near the question as well. They are good to look at, and too many to choose.
    """
    options = Options(limit=_limits.SELECTION, where=where.strip() or ())
    return state.rows_of_numbers(searched(state.snapshot, lambda search: find_holders(search, query, options))[:limit])
