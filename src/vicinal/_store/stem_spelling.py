"""The word of a full text that was probably meant by one that no document has: before a fit there is no other list of words."""

from __future__ import annotations

import re

import numpy as np

from vicinal._query.spelling import Spelling
from vicinal._scripts import fold_accents
from vicinal._store.document_lookup import DocumentLookup
from vicinal._store.fulltext import from_text
from vicinal._store.store import Store

#: Letters that a stem may lack at the end of a word.
_ENDING = 4
#: Places of a stem that are looked at for its words: one document may have the plural alone.
_MOST_PLACES = 50
_WORD = re.compile(r"[^\W_]+")


def suggested_word(store: Store, word: str) -> str:
    """Return the nearest word with the same first letter, as it stands in a document; empty where none is near.

    The table of words has stems. Those near to a beginning of the word are looked for, and then words of documents that have one.

    Parameters
    ----------
    store : Store
    word : str

    Returns
    -------
    str
    """
    folded = fold_accents(word)
    with store.reading():
        store.rows("CREATE VIRTUAL TABLE IF NOT EXISTS temp.stems USING fts5vocab(main, words, row)")
        store.rows("CREATE VIRTUAL TABLE IF NOT EXISTS temp.places USING fts5vocab(main, words, instance)")
        rows = store.rows("SELECT term, doc FROM temp.stems WHERE term >= ? AND term < ?", from_text(folded[:1]))
        counts: dict[str, int] = dict(rows)
        stems = Spelling(list(counts), np.array(list(counts.values()), dtype=np.int64))
        near = dict.fromkeys(stems.suggest(each) for each in _beginnings(folded))
        words = {fold_accents(each): (each, counts[stem]) for stem in near if stem for each in _as_written(store, stem)}
        nearest = Spelling(list(words), np.array([count for _, count in words.values()], dtype=np.int64)).suggest(folded)
        return words[nearest][0] if nearest else ""


def _beginnings(word: str) -> list[str]:
    """What the stem of a word may be: the word without its last letters, and with the "i" that stands for a last "y"."""
    return [word[: len(word) - cut] for cut in range(_ENDING + 1)] + ([f"{word[:-1]}i"] if word.endswith("y") else [])


def _as_written(store: Store, stem: str) -> list[str]:
    """Words that may have a stem, in small letters, as documents have them: the last letter of a stem may be another's."""
    rows = store.rows("SELECT doc FROM temp.places WHERE term = ? LIMIT ?", (stem, _MOST_PLACES))
    numbers = sorted({number for (number,) in rows})
    texts = (f"{each.document.title}\n{each.document.text}".lower() for each in DocumentLookup(store).at(numbers))
    words = (word for text in texts for word in _WORD.findall(text))
    return list(dict.fromkeys(word for word in words if fold_accents(word).startswith(stem[:-1])))
