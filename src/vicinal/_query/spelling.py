"""Spelling: the word of a vocabulary that was probably meant by one that is not in it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import final

import numpy as np
from numpy.typing import NDArray

from vicinal._typing import IntArray, Integers

#: Words with fewer letters are not corrected: too many others are one edit away.
SHORTEST = 4
#: From so many letters on, a word may have two edits; before, one.
TWO_EDITS = 6
LONGEST = 64


@final
class Spelling:
    """The words of a vocabulary, prepared when the first word is looked for.

    Parameters
    ----------
    words : sequence of str
        In small letters.
    frequencies : int array (words,)
        How many documents have each: of equally near words the most frequent is suggested.
    """

    def __init__(self, words: Sequence[str] | NDArray[np.object_], frequencies: IntArray) -> None:
        self._words = words
        self._frequencies = np.asarray(frequencies, dtype=np.int64)

    def suggest(self, word: str) -> str:
        """Return the nearest word by insertions, deletions, substitutions and swaps of letters; empty where none is near.

        Parameters
        ----------
        word : str
            In small letters.

        Returns
        -------
        str
        """
        if not SHORTEST <= len(word) <= LONGEST or not len(self._words):
            return ""
        from vicinal._query.spelling_loops import nearest_word, signatures_of

        alphabet, codes, starts, signatures = self._coded
        letters = np.searchsorted(alphabet, _code_points(word))
        known = (letters < len(alphabet)) & (alphabet[np.minimum(letters, len(alphabet) - 1)] == _code_points(word))
        masks = np.zeros(len(alphabet), dtype=np.uint64)
        np.bitwise_or.at(masks, letters[known], np.uint64(1) << np.flatnonzero(known).astype(np.uint64))
        [signature] = signatures_of(_code_points(word), np.array([0, len(word)]))
        first = int(letters[0]) if known[0] else -1
        most = 2 if len(word) >= TWO_EDITS else 1
        found = nearest_word(masks, len(word), signature, most, codes, starts, signatures, self._frequencies, first)
        return str(self._words[found]) if found >= 0 else ""

    @cached_property
    def _coded(self) -> tuple[Integers, Integers, Integers, Integers]:
        """The alphabet; all letters by their positions in it; where each word begins; and the set of its letters as bits."""
        from vicinal._query.spelling_loops import signatures_of

        points = _code_points("".join(map(str, self._words)))
        place = np.zeros(int(points.max(initial=0)) + 1, dtype=np.int32)  # by code point: far faster than sorting all letters
        place[points] = 1
        alphabet = np.flatnonzero(place)
        place[alphabet] = np.arange(len(alphabet))
        starts = np.concatenate([[0], np.cumsum([len(word) for word in self._words])]).astype(np.int64)
        return alphabet, place[points], starts, signatures_of(points, starts)


def _code_points(text: str) -> Integers:
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
