"""The rows of all documents that a query finds, without their hits: to be drawn on the map, or chosen."""

from __future__ import annotations

from vicinal._typing import FloatArray, IntArray
from vicinal.index._partial import searched
from vicinal.index._search.answers import find_numbers
from vicinal.index._search.asked import Options
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
