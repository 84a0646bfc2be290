"""Full-text search by SQLite's FTS5: documents that contain any of some words, a phrase or a prefix, with BM25 scores.

The table of words is SQLite's FTS5 over the titles and texts of `documents`, which it does not copy. It changes in the same
transactions, by the functions here and not by triggers: up to SQLite 3.40 FTS5 may not be used in triggers of a file that is not
trusted, and none is.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterable, Sequence
from itertools import islice
from string import ascii_letters, digits

import numpy as np

from vicinal._scripts import fold_accents, is_unspaced, plain_figures
from vicinal._store.schema import TABLES
from vicinal._store.store import Store
from vicinal._store.unspaced import containing_part, parts_of, scores_of
from vicinal._typing import FloatArray, IntArray
from vicinal._validate import check_count
from vicinal.errors import BadParameter

#: Different words that a query can have.
MOST_WORDS = 2000
#: Words that are looked for of one phrase, from its beginning: SQLite holds every place of each of them at once.
MOST_PARTS = 32
_PART = re.compile(r"\w+")
_ACCENTED = re.compile("([a-z])[\u0300-\u036f]+")
#: Fields of the table of words.
FIELDS = ("title", "text")
#: How the endings begin that Porter's stemmer cuts off; and the letters that it may put at the end of a stem in place of others.
_CUT_ENDINGS = (
    *("s", "es", "ed", "ee", "in", "y", "at", "ti", "en", "an", "iz", "ab", "bl", "al", "el", "ou"),
    *("iv", "fu", "bi", "ic", "ne", "er", "ib", "em", "me", "io", "is", "it", "e", "l"),
)
_LAST_LETTERS = "iel"
_TEXTS_AT_ONCE = 2000
#: Letters that are one character in print, and that character.
_LIGATURES = {"ffi": "\ufb03", "ffl": "\ufb04", "ff": "\ufb00", "fi": "\ufb01", "fl": "\ufb02"}
_LETTERS = re.compile("|".join(_LIGATURES))
#: Letters and digits as texts in Chinese and Japanese have them.
_FULL_WIDTH = {code: code + 0xFEE0 for code in map(ord, ascii_letters + digits)}
_COMPATIBLE = re.compile("[\ufb00-\ufb06\uff10-\uff19\uff21-\uff3a\uff41-\uff5a]+")
#: Figures beside letters as texts print them in units and formulas: m², H₂O.
_RAISED, _LOWERED = str.maketrans(digits, "⁰¹²³⁴⁵⁶⁷⁸⁹"), str.maketrans(digits, "₀₁₂₃₄₅₆₇₈₉")
_BESIDE_LETTERS = re.compile(r"(?<=[^\W\d])\d+|\d+(?=[^\W\d])")
#: Letters е of a word or phrase of which each may be ё.
_MOST_YO = 8
#: What a footnote's mark may be, written on to a word.
_NOTE_MARKS = "¹²³⁴⁵⁶⁷⁸⁹"


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


def question(words: str | Iterable[str], prefixes: Iterable[str] = ()) -> str:
    """Turn words into a query for FTS5 in which no word is an operator.

    Parameters
    ----------
    words : str or iterable of str
        A text is split at its blanks; what has several parts, such as "state-of-the-art", is looked for as a phrase, by its
        first `MOST_PARTS` parts.
    prefixes : iterable of str, default=()
        Beginnings of words.

    Returns
    -------
    str
        Empty when there is nothing to look for.
    """
    different: dict[str, str] = {}
    for word in map(_clean, _given(words)):
        if any(map(str.isalnum, word)):
            different.setdefault(_compared(word), word)
    beginnings = [f"{_quoted(_clean(each))} *" for each in dict.fromkeys(prefixes)]
    if len(different) + len(beginnings) > MOST_WORDS:
        raise BadParameter(f"a query can have {MOST_WORDS:,} different words, got {len(different):,}. Use fewer.")
    return " OR ".join([*map(_any_spelling, different.values()), *beginnings])


def _clean(word: str) -> str:
    word = word.replace("\0", " ").encode("utf-8", "replace").decode()
    last = next(islice(_PART.finditer(word), MOST_PARTS - 1, None), None)
    return word if last is None else word[: last.end()]


def _compared(word: str) -> str:
    """A word as SQLite compares it: "Über" and "uber" are one; accents of other letters than these it may keep."""
    return word.lower() if word.isascii() else _ACCENTED.sub(r"\1", unicodedata.normalize("NFD", word.lower()))


def _any_spelling(word: str) -> str:
    return " OR ".join(map(_quoted, dict.fromkeys(_spellings(word))))


def _spellings(word: str) -> list[str]:
    """A word or phrase as it is written, and as texts from PDF files have it: with ligatures, raised figures, and in full width."""
    figures = plain_figures(word)
    plain = _COMPATIBLE.sub(lambda found: unicodedata.normalize("NFKC", found[0]), figures)
    spellings = [
        plain,
        _with_ligatures(plain),
        plain.translate(_FULL_WIDTH),
        _with_figures(plain, _RAISED),
        _with_figures(plain, _LOWERED),
        *_with_yo(plain.lower()),
    ]
    return spellings if figures == word else [*spellings, word]


def _with_note_marks(phrase: str) -> list[str]:
    """A word or phrase with the mark of a footnote behind it, which the full text takes for a part of the word."""
    plain = plain_figures(phrase).rstrip()
    return [plain + mark for mark in _NOTE_MARKS] if plain_figures(plain + _NOTE_MARKS[0]) == plain + " " else []


def _with_figures(word: str, figures: dict[int, int]) -> str:
    return _BESIDE_LETTERS.sub(lambda found: found[0].translate(figures), word)


def _with_yo(word: str) -> list[str]:
    """A word with е for ё, as most texts in Russian have it, and with ё for each е in turn: a word has no two of them."""
    plain = word.replace("ё", "е")
    places = [found.start() for found in islice(re.finditer("е", plain), _MOST_YO)]
    return [plain, *(plain[:at] + "ё" + plain[at + 1 :] for at in places)] if places else []


def _with_ligatures(word: str) -> str:
    return _LETTERS.sub(lambda found: _LIGATURES[found[0]], word.lower()) if _LETTERS.search(word.lower()) else word


def _quoted(word: str) -> str:
    return '"' + word.replace('"', '""') + '"'


def containing(store: Store, phrase: str, field: str | None = None) -> IntArray:
    """Documents that contain a word or a phrase, in whatever form of its words.

    Parameters
    ----------
    store : Store
    phrase : str
    field : {"title", "text"} or None, default=None
        Where; None is either.

    Returns
    -------
    ndarray of int64
        Their numbers, rising.
    """
    clean = _clean(phrase)
    if not any(map(str.isalnum, clean)):
        return np.zeros(0, dtype=np.int64)
    if is_unspaced(clean):
        return np.array(containing_part(store, clean, field), dtype=np.int64)
    asked = dict.fromkeys([*_spellings(clean), *_with_note_marks(clean)])
    return _numbers(store, _in_field(field, " OR ".join(map(_quoted, asked))))


def containing_prefix(store: Store, prefix: str, field: str | None = None) -> IntArray:
    """Documents with a word that begins so; case and accents do not matter.

    The table has stems, and not words. A stem is the beginning of its word up to its last letter, which may be another ("happi" of
    happy). So a stem that is longer than the prefix tells; of one that is not, and agrees with it so far, the texts are looked at.

    Parameters
    ----------
    store : Store
    prefix : str
    field : {"title", "text"} or None, default=None
        Where; None is either.

    Returns
    -------
    ndarray of int64
        Their numbers, rising.
    """
    folded = fold_accents(_clean(prefix))
    with store.reading():
        store.rows("CREATE VIRTUAL TABLE IF NOT EXISTS temp.stems USING fts5vocab(main, words, row)")
        store.rows("CREATE VIRTUAL TABLE IF NOT EXISTS temp.places USING fts5vocab(main, words, instance)")
        one = "SELECT term FROM temp.stems WHERE term >= ? AND term < ?"
        ranges = [*from_text(folded[:1]), "\ufb00", "\ufb07", "\uff10", "\uff5b"]  # as typed, with ligatures, in full width
        stems = {stem: fold_accents(stem) for (stem,) in store.rows(" UNION ALL ".join([one] * 3), ranges)}
        longer = [stem for stem, letters in stems.items() if len(letters) > len(folded) and letters.startswith(folded)]
        maybe = [stem for stem, letters in stems.items() if 1 < len(letters) <= len(folded) and _may_begin(letters, folded)]
        surely = _with_stems(store, longer, field)
        unsure = np.setdiff1d(_with_stems(store, maybe, field), surely)
        return np.union1d(surely, _with_beginning(store, unsure, folded, field)).astype(np.int64)


def _may_begin(stem: str, folded: str) -> bool:
    """Whether a word that begins with a text may have a stem that is no longer than the text."""
    if not folded.startswith(stem):
        return stem[-1] in _LAST_LETTERS and folded.startswith(stem[:-1])
    cut = folded[len(stem) :]
    return cut[:1] in ("", stem[-1]) or any(start.startswith(cut[:2]) for start in _CUT_ENDINGS)


def from_text(beginning: str) -> tuple[str, str]:
    """The first text that begins so, and one that is behind all of them.

    Parameters
    ----------
    beginning : str

    Returns
    -------
    tuple of str
    """
    return beginning, beginning + chr(0x10FFFF)


def _with_stems(store: Store, stems: Sequence[str], field: str | None) -> IntArray:
    rows = store.rows(
        "SELECT DISTINCT doc FROM temp.places WHERE term IN (SELECT value FROM json_each(?1)) AND (?2 IS NULL OR col = ?2)",
        (json.dumps(stems), field),
    )
    return np.sort(np.fromiter((number for (number,) in rows), dtype=np.int64, count=len(rows)))


def _with_beginning(store: Store, numbers: IntArray, folded: str, field: str | None) -> list[int]:
    """Those documents that have a word which begins so, by their texts."""
    begins, columns = re.compile(rf"(?<![^\W_]){re.escape(folded)}"), field or "title || char(10) || text"
    found: list[int] = []
    for start in range(0, len(numbers), _TEXTS_AT_ONCE):
        some = json.dumps(numbers[start : start + _TEXTS_AT_ONCE].tolist())
        statement = f"SELECT number, {columns} FROM documents WHERE number IN (SELECT value FROM json_each(?))"
        found += [number for number, text in store.rows(statement, (some,)) if begins.search(fold_accents(text))]
    return found


def _in_field(field: str | None, asked: str) -> str:
    return asked if field is None else f"{{{FIELDS[FIELDS.index(field)]}}} : ({asked})"


def _numbers(store: Store, asked: str) -> IntArray:
    rows = store.rows("SELECT rowid FROM words WHERE words MATCH ? ORDER BY rowid", (asked,))
    return np.fromiter((number for (number,) in rows), dtype=np.int64, count=len(rows))


def _given(words: str | Iterable[str]) -> list[str]:
    return words.split() if isinstance(words, str) else [str(word) for word in words]


def match(
    store: Store,
    words: str | Iterable[str],
    limit: int | None = 10,
    *,
    among: Iterable[int] | None = None,
    prefixes: Iterable[str] = (),
) -> tuple[IntArray, FloatArray]:
    """Documents that contain any of the words, best first; equal scores in the order of the documents.

    Parameters
    ----------
    store : Store
    words : str or iterable of str
    limit : int or None, default=10
        None is all of them.
    among : iterable of int or None, default=None
        Only documents with these numbers.
    prefixes : iterable of str, default=()
        Beginnings of words, which count as words.

    Returns
    -------
    numbers : ndarray of int64
    scores : ndarray of float64
        BM25, larger is better.
    """
    at_most = -1 if limit is None else check_count("limit", limit)
    asked = question(words, prefixes)
    if parts := parts_of(_given(words)):
        return _with_unspaced(store, asked, parts, at_most, among)
    among_text = None if among is None else json.dumps([int(number) for number in among])
    rows = (
        store.rows(
            "SELECT rowid, -bm25(words) FROM words WHERE words MATCH ?1 "
            "AND (?2 IS NULL OR rowid IN (SELECT value FROM json_each(?2))) ORDER BY 2 DESC, 1 LIMIT ?3",
            (asked, among_text, at_most),
        )
        if asked
        else []
    )
    numbers = np.array([number for number, _ in rows], dtype=np.int64)
    return numbers, np.array([score for _, score in rows], dtype=np.float64)


def _with_unspaced(
    store: Store, asked: str, parts: Sequence[str], at_most: int, among: Iterable[int] | None
) -> tuple[IntArray, FloatArray]:
    """The same where some words are of a script without spaces: those are looked for in the texts."""
    scores = scores_of(store, parts)
    for number, score in store.rows("SELECT rowid, -bm25(words) FROM words WHERE words MATCH ?", (asked,)) if asked else ():
        scores[number] = scores.get(number, 0.0) + score
    allowed = scores.keys() if among is None else scores.keys() & {int(number) for number in among}
    best = sorted(allowed, key=lambda number: (-scores[number], number))
    best = best if at_most < 0 else best[:at_most]
    return np.array(best, dtype=np.int64), np.array([scores[number] for number in best], dtype=np.float64)


def marked(
    store: Store,
    number: int,
    words: str | Iterable[str],
    marks: tuple[str, str] = ("[", "]"),
    prefixes: Iterable[str] = (),
) -> tuple[str, str]:
    """Title and text of a document, whole, with every one of the words marked.

    Parameters
    ----------
    store : Store
    number : int
    words : str or iterable of str
    marks : (str, str), default=("[", "]")
        What is put before and behind a word.
    prefixes : iterable of str, default=()
        Beginnings of words.

    Returns
    -------
    title, text : str
    """
    asked = question(words, prefixes)
    values = (*marks, *marks, asked, number)
    statement = "SELECT highlight(words, 0, ?, ?), highlight(words, 1, ?, ?) FROM words WHERE words MATCH ? AND rowid = ?"
    found = store.rows(statement, values) if asked else []
    [(title, text)] = found or store.rows("SELECT title, text FROM documents WHERE number = ?", (number,))
    return str(title), str(text)
