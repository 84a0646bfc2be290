"""The words of a full text that were probably meant by ones that no document has: before a fit there is no other list of words."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import final

import numpy as np

from vicinal._query.spelling import Spelling
from vicinal._scripts import fold_accents
from vicinal._store.document_lookup import DocumentLookup
from vicinal._store.fulltext import from_text
from vicinal._store.store import Store

#: Letters that a stem may lack at the end of a word.
_ENDING = 4
#: Characters of documents in which the words of one question are looked for, and places of a stem that are looked at for its
#: words: one document may have the plural alone.
_LONGEST_LOOK, _MOST_PLACES = 1_000_000, 50
_WORD = re.compile(r"[^\W_]+")


def suggested_words(store: Store, words: Iterable[str]) -> dict[str, str]:
    """Return for each word the nearest one with the same first letter, as it stands in a document; empty where none is near.

    The table of words has stems. Those near to a beginning of the word are looked for, and then words of documents that have one.

    Parameters
    ----------
    store : Store
    words : iterable of str

    Returns
    -------
    dict from str to str
    """
    with store.reading():
        store.rows("CREATE VIRTUAL TABLE IF NOT EXISTS temp.stems USING fts5vocab(main, words, row)")
        store.rows("CREATE VIRTUAL TABLE IF NOT EXISTS temp.places USING fts5vocab(main, words, instance)")
        stems = _Stems(store)
        return {word: stems.suggest(word) for word in words}


@final
class _Stems:
    """The stems of a full text and words that have them; what was read for one word is there for the next.

    Parameters
    ----------
    store : Store
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._by_letter: dict[str, tuple[Spelling, dict[str, int]]] = {}
        self._words: dict[int, dict[str, str]] = {}
        self._left = _LONGEST_LOOK

    def suggest(self, word: str) -> str:
        """The nearest word of documents; empty where none is near."""
        folded = fold_accents(word)
        stems, counts = self._beginning_with(folded[:1])
        near = dict.fromkeys(stems.suggest(each) for each in _beginnings(folded))
        words = {each: (shown, counts[stem]) for stem in near if stem for each, shown in self._as_written(stem).items()}
        nearest = Spelling(list(words), np.array([count for _, count in words.values()], dtype=np.int64)).suggest(folded)
        return words[nearest][0] if nearest else ""

    def _beginning_with(self, letter: str) -> tuple[Spelling, dict[str, int]]:
        """Stems that begin with a letter, and how many documents have each."""
        if letter not in self._by_letter:
            rows = self._store.rows("SELECT term, doc FROM temp.stems WHERE term >= ? AND term < ?", from_text(letter))
            counts: dict[str, int] = dict(rows)
            self._by_letter[letter] = Spelling(list(counts), np.array(list(counts.values()), dtype=np.int64)), counts
        return self._by_letter[letter]

    def _as_written(self, stem: str) -> dict[str, str]:
        """Words that may have a stem, as documents have them: the last letter of a stem may be another's."""
        rows = self._store.rows("SELECT doc FROM temp.places WHERE term = ? LIMIT ?", (stem, _MOST_PLACES))
        words: dict[str, str] = {}
        for number in sorted({number for (number,) in rows}):
            words = self._words_of(number) | words
        return {folded: word for folded, word in words.items() if folded.startswith(stem[:-1])}

    def _words_of(self, number: int) -> dict[str, str]:
        """The different words of a document in small letters, by what they are without accents; none where enough was looked at."""
        if number not in self._words:
            self._words[number] = self._read(number) if self._left > 0 else {}
        return self._words[number]

    def _read(self, number: int) -> dict[str, str]:
        [stored] = DocumentLookup(self._store).at([number])
        text = f"{stored.document.title}\n{stored.document.text}"[: self._left].lower()
        self._left -= len(text)
        return {fold_accents(word): word for word in dict.fromkeys(_WORD.findall(text))}


def _beginnings(word: str) -> list[str]:
    """What the stem of a word may be: the word without its last letters, and with the "i" that stands for a last "y"."""
    return [word[: len(word) - cut] for cut in range(_ENDING + 1)] + ([f"{word[:-1]}i"] if word.endswith("y") else [])
