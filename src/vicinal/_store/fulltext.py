"""Full-text search by SQLite's FTS5: documents that contain any of some words, BM25 scores, snippets.

The table of words is SQLite's FTS5 over the titles and texts of `documents`, which it does not copy. It changes in the same
transactions, by the functions here and not by triggers: up to SQLite 3.40 FTS5 may not be used in triggers of a file that is not
trusted, and none is.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

import numpy as np

from vicinal._store.schema import TABLES
from vicinal._store.store import Store
from vicinal._typing import FloatArray, IntArray
from vicinal._validate import check_count
from vicinal.errors import BadParameter

#: Different words that a query can have.
MOST_WORDS = 2000
_SNIPPET_WORDS = 32
_START_CHARACTERS = 200


def insert(store: Store, rows: Sequence[tuple[int, str, str]]) -> None:
    """Add documents to the full text.

    Parameters
    ----------
    store : Store
    rows : sequence of (number, title, text)
    """
    store.execute_many("INSERT INTO words (rowid, title, text) VALUES (?, ?, ?)", rows)


def delete(store: Store, rows: Sequence[tuple[int, str, str]]) -> None:
    """Delete documents from the full text; titles and texts must be those that were added.

    Parameters
    ----------
    store : Store
    rows : sequence of (number, title, text)
    """
    store.execute_many("INSERT INTO words (words, rowid, title, text) VALUES ('delete', ?, ?, ?)", rows)


def rebuild(store: Store) -> None:
    """Make the table of words again from the documents, whatever is left of it.

    FTS5 can neither rebuild nor drop a table that is badly damaged, so its entry in the schema is deleted, and then its parts.

    Parameters
    ----------
    store : Store
    """
    with store.writing():
        store.rows("PRAGMA writable_schema = ON")
        try:
            store.rows("DELETE FROM sqlite_schema WHERE name = 'words'")
        finally:
            store.rows("PRAGMA writable_schema = RESET")
        for [table] in store.rows("SELECT name FROM sqlite_schema WHERE name GLOB 'words_*' AND type = 'table'"):
            store.rows(f'DROP TABLE "{table}"')
        store.rows(TABLES["words"])
        store.execute("INSERT INTO words (words) VALUES ('rebuild')")


def question(words: str | Iterable[str]) -> str:
    """Turn words into a query for FTS5 in which no word is an operator.

    Parameters
    ----------
    words : str or iterable of str
        A text is split at its blanks; what has several parts, such as "state-of-the-art", is looked for as a phrase.

    Returns
    -------
    str
        Empty when there is nothing to look for.
    """
    given = words.split() if isinstance(words, str) else [str(word) for word in words]
    clean = (word.replace("\0", " ").encode("utf-8", "replace").decode() for word in given)
    different = list(dict.fromkeys(word for word in clean if any(map(str.isalnum, word))))
    if len(different) > MOST_WORDS:
        raise BadParameter(f"a query can have {MOST_WORDS:,} different words, got {len(different):,}. Use fewer.")
    return " OR ".join('"' + word.replace('"', '""') + '"' for word in different)


def match(
    store: Store, words: str | Iterable[str], limit: int = 10, *, among: Iterable[int] | None = None
) -> tuple[IntArray, FloatArray]:
    """Documents that contain any of the words, best first; equal scores in the order of the documents.

    Parameters
    ----------
    store : Store
    words : str or iterable of str
    limit : int, default=10
    among : iterable of int or None, default=None
        Only documents with these numbers.

    Returns
    -------
    numbers : ndarray of int64
    scores : ndarray of float64
        BM25, larger is better.
    """
    check_count("limit", limit)
    asked, among_text = question(words), None if among is None else json.dumps([int(number) for number in among])
    rows = (
        store.rows(
            "SELECT rowid, -bm25(words) FROM words WHERE words MATCH ?1 "
            "AND (?2 IS NULL OR rowid IN (SELECT value FROM json_each(?2))) ORDER BY 2 DESC, 1 LIMIT ?3",
            (asked, among_text, limit),
        )
        if asked
        else []
    )
    numbers = np.array([number for number, _ in rows], dtype=np.int64)
    return numbers, np.array([score for _, score in rows], dtype=np.float64)


def snippets(store: Store, numbers: Iterable[int], words: str | Iterable[str], marks: tuple[str, str] = ("[", "]")) -> list[str]:
    """Excerpts of texts around the words; the beginning of a text that contains none.

    Parameters
    ----------
    store : Store
    numbers : iterable of int
    words : str or iterable of str
    marks : (str, str), default=("[", "]")
        What is put before and behind a word.

    Returns
    -------
    list of str
        One for each number, in their order.
    """
    asked = question(words)
    with store.reading():
        return [_snippet(store, int(number), asked, marks) for number in numbers]


def _snippet(store: Store, number: int, asked: str, marks: tuple[str, str]) -> str:
    found = (
        store.rows(
            "SELECT snippet(words, 1, ?, ?, '…', ?) FROM words WHERE words MATCH ? AND rowid = ?",
            (*marks, _SNIPPET_WORDS, asked, number),
        )
        if asked
        else []
    ) or store.rows("SELECT substr(text, 1, ?) FROM documents WHERE number = ?", (_START_CHARACTERS, number))
    if not found:
        raise BadParameter(f"there is no document {number} in {store.path}. Use numbers that it has returned.")
    return str(found[0][0] or "")


def marked(store: Store, number: int, words: str | Iterable[str], marks: tuple[str, str] = ("[", "]")) -> tuple[str, str]:
    """Title and text of a document, whole, with every one of the words marked.

    Parameters
    ----------
    store : Store
    number : int
    words : str or iterable of str
    marks : (str, str), default=("[", "]")
        What is put before and behind a word.

    Returns
    -------
    title, text : str
    """
    asked = question(words)
    values = (*marks, *marks, asked, number)
    statement = "SELECT highlight(words, 0, ?, ?), highlight(words, 1, ?, ?) FROM words WHERE words MATCH ? AND rowid = ?"
    found = store.rows(statement, values) if asked else []
    [(title, text)] = found or store.rows("SELECT title, text FROM documents WHERE number = ?", (number,))
    return str(title), str(text)
