"""Documents by what people type in place of an id: a path on the disk, or the end of an id that one document alone has."""

from __future__ import annotations

import os
from collections.abc import Sequence
from difflib import get_close_matches

from vicinal._store.document_row import encodable
from vicinal._store.origins import Origins
from vicinal._store.provenance import named_root
from vicinal._store.store import Store
from vicinal.errors import BadParameter

#: As many are looked up one by one; more are a mistake in the whole list.
MOST_LOOKED_UP = 20
#: Ids that are suggested, and ids that are compared letter by letter for it.
SUGGESTED, COMPARED = 3, 20_000


def look_up(store: Store, names: Sequence[str], n_asked: int) -> dict[str, int]:
    """Numbers of documents that are not there by id.

    Parameters
    ----------
    store : Store
    names : sequence of str
    n_asked : int
        How many ids were asked for in all, for the message.

    Returns
    -------
    dict from name to number

    Raises
    ------
    BadParameter
        A name stands for no document or for several; the message suggests ids.
    """
    found: dict[str, int] = {}
    for name in names:
        numbers = candidates(store, name) if len(names) <= MOST_LOOKED_UP else []
        if len(numbers) > 1:
            ids = ", ".join(repr(id) for id in _ids(store, numbers[:SUGGESTED]))
            more = ", …" if len(numbers) > SUGGESTED else ""
            raise BadParameter(
                f"{name!r:.80} may be any of {len(numbers):,} documents of {store.path}: {ids}{more}. Use one of these ids."
            )
        if not numbers:
            raise BadParameter(_unknown(store, name, len([each for each in names if each not in found]), n_asked))
        found[name] = numbers[0]
    return found


def is_one(store: Store, name: str) -> bool:
    """Whether a name stands for one document: by its id, by the end of it, or by the path of its file.

    Parameters
    ----------
    store : Store
    name : str

    Returns
    -------
    bool
    """
    if not encodable(name):
        return False
    return bool(store.rows("SELECT 1 FROM documents WHERE id = ?", (name,))) or len(candidates(store, name)) == 1


def candidates(store: Store, name: str) -> list[int]:
    """Numbers of the documents of a file on the disk, or of those whose ids end with a name.

    Parameters
    ----------
    store : Store
    name : str

    Returns
    -------
    list of int
    """
    if not isinstance(name, str) or not name or not encodable(name) or "\0" in name:
        return []
    if os.path.lexists(name):
        of_file = sorted(Origins(store).under(named_root(name, is_folder=os.path.isdir(name))))
        if of_file:
            return of_file
    ending = f"/{name.removeprefix('./').lstrip('/')}"
    rows = store.rows("SELECT number FROM documents WHERE substr(id, -length(?1)) = ?1 ORDER BY number", (ending,))
    return [number for (number,) in rows]


def _unknown(store: Store, name: str, n_unknown: int, n_asked: int) -> str:
    near = suggestions(store, name)
    advice = f"Did you mean {' or '.join(map(repr, near))}?" if near else "Check the spelling."
    if n_asked == 1:
        return f"{name!r:.80} is not in {store.path}. {advice}"
    return f"{n_unknown} of {n_asked} ids are not in {store.path}, the first is {name!r:.80}. {advice}"


def suggestions(store: Store, name: str) -> list[str]:
    """Ids that contain what was typed, or are spelled nearly so; at most three.

    Parameters
    ----------
    store : Store
    name : str

    Returns
    -------
    list of str
    """
    if not isinstance(name, str) or not encodable(name):
        return []
    stem = os.path.splitext(os.path.basename(name))[0] or name
    for part in dict.fromkeys((name, stem)):
        query = "SELECT id FROM documents WHERE instr(lower(id), lower(?)) > 0 ORDER BY length(id), id LIMIT ?"
        rows = store.rows(query, (part, SUGGESTED)) if len(part) > 2 else []
        if rows:
            return [id for (id,) in rows]
    ids = [id for (id,) in store.rows("SELECT id FROM documents ORDER BY number LIMIT ?", (COMPARED,))]
    return get_close_matches(name, ids, SUGGESTED)


def _ids(store: Store, numbers: Sequence[int]) -> list[str]:
    places = ",".join("?" * len(numbers))
    return [id for (id,) in store.rows(f"SELECT id FROM documents WHERE number IN ({places}) ORDER BY number", list(numbers))]
