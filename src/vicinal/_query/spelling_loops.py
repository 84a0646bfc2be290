"""The compiled loop of spelling: the nearest word of a vocabulary by edits, all of it scanned, with a filter that skips most words.

The distance counts insertions, deletions, substitutions and swaps of two letters side by side. It is computed for a whole word at
once, a bit for each letter (Hyyrö, 2003: A bit-vector algorithm for computing Levenshtein and Damerau edit distances).
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from vicinal._compiled import compiled

#: An array of whole numbers, with or without a sign.
Array: TypeAlias = NDArray[np.integer]

_ONE = np.uint64(1)
_ALL = ~np.uint64(0)
_HALF = 32  # bits for letters, and as many for letters that occur twice


@compiled
def nearest_word(
    masks: Array,
    length: int,
    letters: Any,
    most: int,
    codes: Array,
    starts: Array,
    signatures: Array,
    frequencies: Array,
    first: int,
) -> int:
    """Find the word with the fewest edits; of equals one with the same first letter, then the most frequent, then the first.

    Parameters
    ----------
    masks : uint64 array (alphabet,)
        For each letter, a bit for each position where the word looked for has it.
    length : int
        Of the word looked for, at most 64.
    letters : uint64
        Its signature, as `signatures_of` gives it: an edit changes two bits at most.
    most : int
        Edits at most.
    codes : int array
        The letters of all words, one word after the other.
    starts : int array (words + 1,)
        Where each begins.
    signatures : uint64 array (words,)
    frequencies : int array (words,)
    first : int
        The first letter of the word looked for.

    Returns
    -------
    int
        The number of the word, -1 for none.
    """
    best, best_key, best_frequency = -1, 2 * most + 2, -1
    last = _ONE << np.uint64(length - 1)
    for word in range(len(signatures)):
        other = starts[word + 1] - starts[word]
        allowed = best_key // 2 if best_key // 2 < most else most
        if other > length + allowed or other < length - allowed or other == 0:
            continue
        if _n_bits(signatures[word] ^ letters) > 2 * allowed:
            continue
        edits = _edits(masks, length, last, codes, starts[word], starts[word + 1])
        if edits > most or edits == 0:
            continue
        key = 2 * edits + (codes[starts[word]] != first)
        if key < best_key or (key == best_key and frequencies[word] > best_frequency):
            best, best_key, best_frequency = word, key, frequencies[word]
    return best


@compiled
def _edits(masks: Array, length: int, last: Any, codes: Array, start: int, stop: int) -> int:
    """The edits from the word of the masks to another."""
    plus, minus, diagonal, before, edits = _ALL, np.uint64(0), np.uint64(0), np.uint64(0), length
    for at in range(start, stop):
        here = masks[codes[at]]
        swapped = ((~diagonal & here) << _ONE) & before
        diagonal = (((here & plus) + plus) ^ plus) | here | minus | swapped
        rises, falls = minus | ~(diagonal | plus), diagonal & plus
        if rises & last:
            edits += 1
        if falls & last:
            edits -= 1
        rises = (rises << _ONE) | _ONE
        plus, minus, before = (falls << _ONE) | ~(diagonal | rises), rises & diagonal, here
    return edits


@compiled
def signatures_of(points: Array, starts: Array) -> Array:
    """For each word, a bit for each letter (by its number modulo 32) that it has, and another for each that it has twice.

    Parameters
    ----------
    points : uint32 array
        The code points of all words, one word after the other.
    starts : int array (words + 1,)

    Returns
    -------
    uint64 array (words,)
    """
    found = np.zeros(len(starts) - 1, dtype=np.uint64)
    for word in range(len(found)):
        bits = np.uint64(0)
        for at in range(starts[word], starts[word + 1]):
            bit = _ONE << np.uint64(points[at] % _HALF)
            bits |= bit << np.uint64(_HALF) if bits & bit else bit
        found[word] = bits
    return found


@compiled
def _n_bits(bits: Any) -> Any:
    """The number of bits that are set."""
    bits = bits - ((bits >> np.uint64(1)) & np.uint64(0x5555555555555555))
    bits = (bits & np.uint64(0x3333333333333333)) + ((bits >> np.uint64(2)) & np.uint64(0x3333333333333333))
    bits = (bits + (bits >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return np.int64((bits * np.uint64(0x0101010101010101)) >> np.uint64(56))
