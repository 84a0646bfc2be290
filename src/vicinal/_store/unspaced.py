"""Words of scripts without spaces, such as Chinese, which SQLite's FTS5 cannot tell apart: they are looked for in the texts."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence

from vicinal._scripts import is_unspaced, with_bigrams
from vicinal._store.store import Store

#: Pairs of characters of one query that are looked for, each by reading all texts.
MOST_PAIRS = 64
#: Characters of a snippet before the first match, and in all.
_BEFORE, _WIDTH = 40, 160
#: The saturation of a count, as in BM25.
_K1 = 1.2


def parts_of(words: Iterable[str]) -> list[str]:
    """What to look for: the pairs of characters of the words in scripts without spaces, each once."""
    parts = (part for word in words if is_unspaced(word) for part in with_bigrams(re.findall(r"\w+", word)) if is_unspaced(part))
    return list(dict.fromkeys(parts))[:MOST_PAIRS]


def scores_of(store: Store, parts: Sequence[str]) -> dict[int, float]:
    """The score of each document that has any of the parts, by its number: rare parts count more, as in BM25."""
    [[n_documents]] = store.rows("SELECT count(*) FROM documents")
    scores: dict[int, float] = {}
    for part in parts:
        found = store.rows(
            "SELECT number, (length(title) + length(text) - length(replace(title, ?1, '')) - length(replace(text, ?1, ''))) "
            "FROM documents WHERE instr(text, ?1) OR instr(title, ?1)",
            (part,),
        )
        rarity = math.log1p((n_documents - len(found) + 0.5) / (len(found) + 0.5))
        for number, characters in found:
            count = characters / len(part)
            scores[number] = scores.get(number, 0.0) + rarity * count * (1 + _K1) / (count + _K1)
    return scores


def containing_part(store: Store, part: str, field: str | None) -> list[int]:
    """Documents whose title or text has a part as it stands, rising."""
    columns = ("title", "text") if field is None else (field,)
    found = " OR ".join(f"instr({column}, ?1)" for column in columns)
    return [number for (number,) in store.rows(f"SELECT number FROM documents WHERE {found} ORDER BY number", (part,))]


def excerpt(text: str, parts: Sequence[str]) -> tuple[int, int, tuple[tuple[int, int], ...]] | None:
    """An excerpt around the first of the parts: its beginning, its end, and where parts are in it; None where there is none."""
    first = _finder(parts).search(text) if parts else None
    if first is None:
        return None
    start = max(0, first.start() - _BEFORE)
    end = min(len(text), start + _WIDTH)
    return start, end, spans_of_parts(text, parts, start, end)


def spans_of_parts(text: str, parts: Sequence[str], start: int, end: int) -> tuple[tuple[int, int], ...]:
    """Where parts are between two positions of a text: those that overlap or touch are one, since a word of three is two pairs."""
    spans: list[tuple[int, int]] = []
    for found in _finder(parts).finditer(text, start, end) if parts else ():
        low, high = found.span(1)
        if spans and low <= spans[-1][1]:
            spans[-1] = spans[-1][0], max(spans[-1][1], high)
        else:
            spans.append((low, high))
    return tuple(spans)


def _finder(parts: Sequence[str]) -> re.Pattern[str]:
    """Finds every position at which one of the parts begins, also within another, and the longest of them."""
    return re.compile(f"(?=({'|'.join(map(re.escape, sorted(parts, key=len, reverse=True)))}))")
