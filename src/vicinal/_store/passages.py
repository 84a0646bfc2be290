"""Passages: the part of a text around the words of a query, with the positions of the words in the text."""

from __future__ import annotations

import re
import sqlite3
import threading
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias, final

from vicinal._scripts import RAISED, fold_accents, plain_figures
from vicinal._store.fulltext import marked, question
from vicinal._store.schema import TOKENIZE
from vicinal._store.store import Store
from vicinal._store.unspaced import excerpt, parts_of, spans_of_parts

#: Beginning and end of some words in a text.
Spans: TypeAlias = tuple[tuple[int, int], ...]

_PASSAGE_WORDS = 32
_LONGEST_NOTED = 64
#: A raised figure behind three letters, and the letters before a place.
_NOTE_MARK, _LETTERS_BEFORE = re.compile(rf"(?<=[^\W\d_]{{3}})[{RAISED}]+"), re.compile(r"[^\W\d_]+\Z")
_START_CHARACTERS = 200
#: Characters of the longest text in which SQLite is to find a passage at once.
_LONGEST_PIECE = 8_000
#: SQLite compares all places where words are found with each other; beyond so many the passage begins at the first of them.
_MOST_FOUND = 4_000
_CROWDED_CHARACTERS, _CHARACTERS_BEFORE = 300, 40
#: What SQLite is to put around a word, and where something is left out: characters that are in no text.
_OPENED, _CLOSED, _LEFT_OUT = "\x02", "\x03", "\x04"
_MARKS, _TOKEN = re.compile(f"{_OPENED}([^{_CLOSED}]*)"), re.compile(r"[^\W_]+")


@final
@dataclass(frozen=True)
class Passage:
    """A part of the text of a document, with the words of a query that are in it.

    Attributes
    ----------
    text : str
        The passage as it stands in the document.
    start : int
        Where it begins in the text of the document.
    matches : tuple of (int, int)
        Beginning and end of each word of the query, in the text of the document.
    before, after : bool
        Whether the query's passage leaves text out before and behind it, which an ellipsis shows.

    Examples
    --------
    >>> from vicinal.index import Passage
    >>> Passage("wheat exports fell", 0, ((0, 5),)).marked()
    '[wheat] exports fell'
    """

    text: str
    start: int = 0
    matches: tuple[tuple[int, int], ...] = ()
    before: bool = False
    after: bool = False

    def marked(self, opened: str = "[", closed: str = "]") -> str:
        """Write the passage with marks around the words of the query.

        Parameters
        ----------
        opened, closed : str
            What is put before and behind a word.

        Returns
        -------
        str
            With an ellipsis where the text goes on.
        """
        parts, at = ["…"] if self.before else [], 0
        for start, end in self.matches:
            begin, stop = start - self.start, end - self.start
            parts += [self.text[at:begin], opened, self.text[begin:stop], closed]
            at = stop
        return "".join([*parts, self.text[at:], *(["…"] if self.after else [])])


_HIGHLIGHTED = "SELECT highlight(words, 0, ?, ?), highlight(words, 1, ?, ?) FROM words WHERE words MATCH ? AND rowid = ?"
_MARKED = "SELECT rowid, snippet(words, 1, ?, ?, ?, ?) FROM words WHERE words MATCH ?"


class _Marker(threading.local):
    """A full text in memory, one for each thread, that holds the few documents of one answer while SQLite marks words in them.

    The full text of the file would look up the words of the query among all documents for every passage.
    """

    def __init__(self) -> None:
        self.connection = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
        self.connection.execute(f"CREATE VIRTUAL TABLE words USING fts5 (title, text, {TOKENIZE})")

    def marked(self, documents: Mapping[int, tuple[str, str]], asked: str, at_once: int) -> dict[int, tuple[TextPiece, str]]:
        """The passage of each document that has a word of the question, marked, with the piece that it is of, by its number.

        ``at_once`` is how many words and phrases of the question may be found at one place.
        """
        execute = self.connection.execute
        execute("BEGIN")
        try:
            plain = {number: (plain_figures(title), plain_figures(text)) for number, (title, text) in documents.items()}
            pieces = [piece for number, (title, text) in plain.items() for piece in _pieces(number, title, text)]
            rows = [(row, piece.title, piece.text) for row, piece in enumerate(pieces)]
            self.connection.executemany("INSERT INTO words (rowid, title, text) VALUES (?, ?, ?)", rows)
            values = (_OPENED, _CLOSED, _LEFT_OUT, _PASSAGE_WORDS, asked)
            may_be_crowded = any(piece.may_have(_MOST_FOUND // at_once) for piece in pieces)
            if len(pieces) == len(documents) and not may_be_crowded:
                return {pieces[row].document: (pieces[row], text) for row, text in execute(_MARKED, values)}
            best = self._best(pieces, asked)
            crowded = self._crowded(best.values(), asked, _MOST_FOUND // at_once) if may_be_crowded else {}
            one = f"{_MARKED} AND rowid = ?"
            return {
                number: (pieces[row], crowded[row] if row in crowded else execute(one, (*values, row)).fetchone()[1])
                for number, row in best.items()
            }
        finally:
            execute("ROLLBACK")

    def _crowded(self, rows: Iterable[int], asked: str, most: int) -> dict[int, str]:
        """Passages of pieces in which more words than so many are found, by their rows: from the first of them on."""
        found: dict[int, str] = {}
        for row in rows:
            values = (_OPENED, _CLOSED, _OPENED, _CLOSED, asked, row)
            title, text = self.connection.execute(_HIGHLIGHTED, values).fetchone()
            if sum(len(_TOKEN.findall(each)) for each in _MARKS.findall(title) + _MARKS.findall(text)) > most:
                found[row] = _first_marks(text)
        return found

    def _best(self, pieces: Sequence[TextPiece], asked: str) -> dict[int, int]:
        """Of each document the piece that answers a question best, by its position."""
        best: dict[int, int] = {}
        for (row,) in self.connection.execute("SELECT rowid FROM words WHERE words MATCH ? ORDER BY rank, rowid", (asked,)):
            best.setdefault(pieces[row].document, row)
        return best


@dataclass(frozen=True)
class TextPiece:
    """A piece of a text, where it begins, and whether text follows: the time to find a passage is the square of the words found."""

    document: int
    title: str
    text: str
    start: int = 0
    is_last: bool = True

    def may_have(self, words: int) -> bool:
        """Whether it may have more than so many words."""
        return (len(self.title) + len(self.text) + 2) // 2 > words


def _pieces(number: int, title: str, text: str) -> Iterator[TextPiece]:
    """A text in pieces of a length, each ending behind a blank where there is one; the title belongs to the first."""
    start = 0
    while len(text) - start > _LONGEST_PIECE:
        end = text.rfind(" ", start + _LONGEST_PIECE // 2, start + _LONGEST_PIECE) + 1 or start + _LONGEST_PIECE
        yield TextPiece(number, "" if start else title, text[start:end], start, is_last=False)
        start = end
    yield TextPiece(number, "" if start else title, text[start:], start)


def _first_marks(marked: str) -> str:
    """The part of a text around the first words that are marked in it."""
    start = marked.rfind(" ", 0, max(0, marked.find(_OPENED) - _CHARACTERS_BEFORE)) + 1
    end = start + _CROWDED_CHARACTERS
    if end < len(marked):
        end = marked.rfind(" ", end // 2, end) + 1 or end
    part = marked[start:end]
    part += _CLOSED * (part.count(_OPENED) - part.count(_CLOSED))
    return f"{_LEFT_OUT * (start > 0)}{part}{_LEFT_OUT * (end < len(marked))}"


def _most_at_once(words: Iterable[str]) -> int:
    """How many words and phrases may be found at one place: those whose first word has the same beginning."""
    first = (_TOKEN.search(fold_accents(word)) for word in words)
    return max(Counter(found[0][:2] for found in first if found).values(), default=1)


_MARKER = _Marker()


def passages(documents: Mapping[int, tuple[str, str]], words: Iterable[str], prefixes: Iterable[str] = ()) -> list[Passage]:
    """Passages of texts around words; the beginning of a text that contains none.

    Parameters
    ----------
    documents : mapping from int to (str, str)
        Title and text of some documents by number.
    words : iterable of str
        Words and phrases.
    prefixes : iterable of str, default=()
        Beginnings of words.

    Returns
    -------
    list of Passage
        One for each document, in their order.
    """
    given, beginnings = list(words), list(prefixes)
    asked, parts = question(given, beginnings), parts_of(given)
    unspaced = {number: _unspaced(text, parts) for number, (_, text) in documents.items()} if parts else {}
    others = {number: fields for number, fields in documents.items() if unspaced.get(number) is None}
    found = _MARKER.marked(others, asked, _most_at_once(given + beginnings)) if asked and others else {}
    return [unspaced.get(number) or _passage(text, *found.get(number, (None, ""))) for number, (_, text) in documents.items()]


def _unspaced(text: str, parts: Sequence[str]) -> Passage | None:
    """The passage around words of a script without spaces, which SQLite does not find inside a sentence."""
    found = excerpt(text, parts)
    if found is None:
        return None
    start, end, matches = found
    return Passage(text[start:end], start, matches, start > 0, end < len(text))


def _passage(text: str, piece: TextPiece | None, marked: str) -> Passage:
    found = located(piece.text, marked) if piece is not None else None
    if found is None or piece is None:
        return Passage(text[:_START_CHARACTERS])
    matches = tuple((start + piece.start, end + piece.start) for start, end in found.matches)
    before, after = found.before or piece.start > 0, found.after or not piece.is_last
    start = found.start + piece.start
    return Passage(text[start : start + len(found.text)], start, matches, before, after)


def spans_of_words(
    store: Store, number: int, fields: tuple[str, str], words: Iterable[str], prefixes: Iterable[str] = ()
) -> tuple[Spans, Spans]:
    """Beginning and end of every one of some words in the whole title and text of a document.

    Parameters
    ----------
    store : Store
    number : int
        The number of the document.
    fields : (str, str)
        Its title and text.
    words : iterable of str
        Words and phrases.
    prefixes : iterable of str, default=()
        Beginnings of words.

    Returns
    -------
    title, text : tuple of (int, int)
    """
    given = list(words)
    given += _noted(given, fields)
    whole = marked(store, number, given, (_OPENED, _CLOSED), list(prefixes))
    title, text = (_spans(*each, parts_of(given)) for each in zip(fields, whole, strict=True))
    return title, text


def _noted(words: Sequence[str], fields: tuple[str, str]) -> list[str]:
    """Those of some words that texts have with the mark of a footnote, which SQLite takes for a part of the word."""
    wanted, found = {word.lower() for word in words}, dict[str, None]()
    for text in fields:
        for mark in _NOTE_MARK.finditer(text):
            before = _LETTERS_BEFORE.search(text[max(0, mark.start() - _LONGEST_NOTED) : mark.start()])
            if before and before[0].lower() in wanted:
                found[before[0] + mark[0]] = None
    return list(found)


def _spans(text: str, whole: str, parts: Sequence[str]) -> Spans:
    """Where words are that SQLite marked, and words of scripts without spaces; what overlaps is one."""
    found = located(text, whole)
    spans = sorted([*(() if found is None else found.matches), *spans_of_parts(text, parts, 0, len(text))])
    joined: list[tuple[int, int]] = []
    for start, end in spans:
        if joined and start < joined[-1][1]:
            joined[-1] = joined[-1][0], max(end, joined[-1][1])
        else:
            joined.append((start, end))
    return tuple(joined)


def located(text: str, marked: str) -> Passage | None:
    """The passage that SQLite marked, found again in the text; None where its marks cannot be told from the text.

    Parameters
    ----------
    text : str
    marked : str

    Returns
    -------
    Passage or None
    """
    before, after = marked.startswith(_LEFT_OUT), marked.endswith(_LEFT_OUT)
    inner = marked[before : len(marked) - after]
    plain = inner.replace(_OPENED, "").replace(_CLOSED, "")
    start = text.find(plain)
    if start < 0 or any(mark in text for mark in (_OPENED, _CLOSED, _LEFT_OUT)):
        return None
    first, *others = inner.split(_OPENED)
    matches, at = [], start + len(first)
    for each in others:
        length = each.index(_CLOSED)
        matches.append((at, at + length))
        at += len(each) - 1
    return Passage(plain, start, tuple(matches), before, after)
