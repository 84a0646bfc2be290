"""Keys as short texts that people can type: the ids of the nodes of a tree."""

from __future__ import annotations

from vicinal._content_keys import Keys

_LETTERS = "abcdefghjkmnpqrstvwxyz"  # ids begin with one: a number is the number of a cluster
_DIGITS = "0123456789abcdefghjkmnpqrstvwxyz"  # Crockford's: none is taken for another
SHORTEST, LONGEST = 5, 13  # letters of an id; thirteen hold 64 bits


def short_ids(keys: Keys) -> tuple[str, ...]:
    """Keys as texts of five letters and digits, or as many more as tell all of them apart."""
    written = [
        _LETTERS[int(key) % len(_LETTERS)] + "".join(_DIGITS[(int(key) >> (5 * i)) & 31] for i in range(LONGEST)) for key in keys
    ]
    for length in range(SHORTEST, LONGEST + 1):
        if len({each[:length] for each in written}) == len(written):
            return tuple(each[:length] for each in written)
    return tuple(written)
