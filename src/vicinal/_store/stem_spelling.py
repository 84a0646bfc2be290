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
#: Characters of a document in which words are looked for.
_LONGEST_LOOK = 1_000_000
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
        self._by_letter: dict[str, Spelling] = {}
        self._words: dict[int, dict[str, str]] = {}

    def suggest(self, word: str) -> str:
        """The nearest word of a document; empty where none is near."""
        folded = fold_accents(word)
        stems = self._beginning_with(folded[:1])
        near = dict.fromkeys(stems.suggest(folded[: len(folded) - cut]) for cut in range(_ENDING + 1))
        written = {each: shown for stem in near if stem for each, shown in self._as_written(stem).items()}
        return written.get(Spelling(list(written), np.arange(len(written), 0, -1)).suggest(folded), "")

    def _beginning_with(self, letter: str) -> Spelling:
        if letter not in self._by_letter:
            rows = self._store.rows("SELECT term, doc FROM temp.stems WHERE term >= ? AND term < ?", from_text(letter))
            frequencies = np.array([documents for _, documents in rows], dtype=np.int64)
            self._by_letter[letter] = Spelling([stem for stem, _ in rows], frequencies)
        return self._by_letter[letter]

    def _as_written(self, stem: str) -> dict[str, str]:
        """Words that may have a stem, as one document has them: the last letter of a stem may be another's."""
        words: dict[str, str] = {}
        for (number,) in self._store.rows("SELECT doc FROM temp.places WHERE term = ? LIMIT 1", (stem,)):
            words = self._words_of(number)
        return {folded: word for folded, word in words.items() if folded.startswith(stem[:-1])}

    def _words_of(self, number: int) -> dict[str, str]:
        """The different words of a document in small letters, by what they are without accents."""
        if number not in self._words:
            [stored] = DocumentLookup(self._store).at([number])
            text = f"{stored.document.title}\n{stored.document.text}"[:_LONGEST_LOOK].lower()
            self._words[number] = {fold_accents(word): word for word in dict.fromkeys(_WORD.findall(text))}
        return self._words[number]
