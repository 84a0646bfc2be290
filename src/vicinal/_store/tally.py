"""Tallies: how many rows each table must have, and what their checksums add up to.

A row has a checksum of its own, but a row that is gone has none. The tally changes in the transaction that changes the rows.
"""

from __future__ import annotations

from vicinal._store.file import Store
from vicinal._store.schema import TALLIED


def change(store: Store, table: str, rows: int, total: int) -> None:
    """Say that a table has so many rows more (or less), whose checksums add up to so much.

    Parameters
    ----------
    store : Store
    table : str
    rows, total : int
    """
    if rows or total:
        store.execute("UPDATE tallies SET n_rows = n_rows + ?, total = total + ? WHERE name = ?", (rows, total, table))


def expected(store: Store) -> dict[str, tuple[int, int]]:
    """Rows and sum of checksums that each table must have.

    Parameters
    ----------
    store : Store

    Returns
    -------
    dict from table to (rows, total)
    """
    return {name: (rows, total) for name, rows, total in store.rows("SELECT name, n_rows, total FROM tallies")}


def counted(store: Store, table: str) -> int:
    """Rows that a table has.

    Parameters
    ----------
    store : Store
    table : str

    Returns
    -------
    int
    """
    assert table in TALLIED
    return int(store.rows(f"SELECT count(*) FROM {table}")[0][0])


def added_up(store: Store, table: str) -> int:
    """Sum of the checksums that the rows of a table have.

    Parameters
    ----------
    store : Store
    table : str

    Returns
    -------
    int
    """
    assert table in TALLIED
    return int(store.rows(f"SELECT coalesce(sum(checksum), 0) FROM {table}")[0][0])
