"""Hits with passages: documents that were found, each with its explanation and a passage that marks the words of the query."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import final

from vicinal._store import Passage, Stored, passages
from vicinal._typing import FloatArray, IntArray
from vicinal.index._search.hits import Hit
from vicinal.index._search.state_protocols import Searched
from vicinal.index._search.word_forms import WordForms
from vicinal.projection import Explanation


@final
@dataclass(frozen=True)
class ToMark:
    """What a passage marks.

    Attributes
    ----------
    words : tuple of str
        Words and phrases.
    prefixes : tuple of str
        Beginnings of words.
    tokens : tuple of str
        Those of the words whose other forms are marked, too.
    forms : WordForms or None
        Tells forms of one word; None where there is no model to tell them.
    """

    words: tuple[str, ...] = ()
    prefixes: tuple[str, ...] = ()
    tokens: tuple[str, ...] = ()
    forms: WordForms | None = None

    def words_in(self, texts: Iterable[str]) -> tuple[str, ...]:
        """The words, and other forms of them that are in some texts."""
        return self.words if self.forms is None else (*self.words, *self.forms.other_forms(self.tokens, texts))


def hits(state: Searched, rows: IntArray, whys: list[Explanation], relevance: FloatArray, shown: ToMark) -> list[Hit]:
    """Rows as hits, in this order: each with its explanation and a passage that marks the words of a query."""
    return hits_of(state, state.rows.numbers[rows], whys, relevance, shown)


def hits_of(state: Searched, numbers: IntArray, whys: list[Explanation], relevance: FloatArray, shown: ToMark) -> list[Hit]:
    """Documents by their numbers as hits, in this order."""
    stored = state.documents.at(numbers.tolist())
    return hits_with(state, stored, whys, relevance, passages_of(stored, shown))


def passages_of(stored: Sequence[Stored], shown: ToMark) -> list[Passage]:
    """A passage of each of some documents; nothing is read for it, and any thread may do so."""
    texts = {each.number: (each.document.title, each.document.text) for each in stored}
    return passages(texts, shown.words_in(each.document.text for each in stored), shown.prefixes)


def hits_with(
    state: Searched, stored: Sequence[Stored], whys: list[Explanation], relevance: FloatArray, marked: list[Passage]
) -> list[Hit]:
    """Documents as hits, each with its explanation, relevance and passage."""
    clusters = [_cluster_number(state, each.number) for each in stored]
    found = zip((each.document for each in stored), whys, marked, clusters, relevance, strict=True)
    return [
        Hit(
            document.id,
            document.title,
            document.source,
            why.total,
            why,
            passage.marked(),
            cluster,
            document.metadata,
            float(share),
            passage,
        )
        for document, why, passage, cluster, share in found
    ]


def _cluster_number(state: Searched, number: int) -> int:
    row = state.rows.row(number) if state.fitted else -1
    return int(state.cluster_numbers[row]) if row >= 0 else -1
