"""A selection of documents as a file: the same columns as an export of all documents has."""

from __future__ import annotations

from pathlib import Path

from vicinal._typing import IntArray
from vicinal.index._tables.export import WRITERS, Records
from vicinal.serve._state import State


def export_selection(state: State, rows: IntArray, file: Path, kind: str) -> None:
    """Write documents, or their ids.

    Parameters
    ----------
    state : State
    rows : int array
    file : Path
    kind : {"csv", "tsv", "jsonl", "parquet", "ids"}
        An id has no line break in such a file: it would be two.
    """
    if kind == "ids":
        lines = [" ".join(id.splitlines()) for id in state.ids(rows.tolist())]
        file.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        return
    WRITERS["documents"][kind](Records(state.index_state, among=state.numbers[rows].tolist()), file)
