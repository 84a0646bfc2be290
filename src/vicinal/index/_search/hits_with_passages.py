"""Hits with passages: documents that were found, and what makes their explanations, and passages that mark the words of a query."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import TypeAlias, final

from vicinal._store import Passage, Stored, passages
from vicinal._typing import FloatArray, IntArray
from vicinal.index._search.hits import Hit, made_later
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


#: Makes the explanations of a page.
Whys: TypeAlias = "Callable[[], list[Explanation]]"


@final
class _ToTell:
    """The reasons and passages of a page, made when one of them is first asked for: nothing is read from the file for it.

    Many programs ask for ids alone, and to make these takes longer than to rank.
    """

    def __init__(self, stored: Sequence[Stored], shown: ToMark, whys: Whys) -> None:
        self._stored, self._shown, self._whys = stored, shown, whys

    @cached_property
    def whys(self) -> list[Explanation]:
        """Of each hit."""
        return self._whys()

    @cached_property
    def passages(self) -> list[Passage]:
        """Of each hit."""
        texts = {each.number: (each.document.title, each.document.text) for each in self._stored}
        return passages(texts, self._shown.words_in(each.document.text for each in self._stored), self._shown.prefixes)

    def attributes(self, at: int, name: str) -> dict[str, object]:
        """The attributes of a hit that are made together with one, none where there is no such attribute."""
        if name in ("score", "why"):
            return {"score": self.whys[at].total, "why": self.whys[at]}
        if name in ("snippet", "passage"):
            return {"snippet": self.passages[at].marked(), "passage": self.passages[at]}
        return {}


def hits(state: Searched, rows: IntArray, whys: Whys, relevance: FloatArray, shown: ToMark) -> list[Hit]:
    """Rows as hits, in this order: each with its explanation and a passage that marks the words of a query."""
    return hits_of(state, state.rows.numbers[rows], whys, relevance, shown)


def hits_of(state: Searched, numbers: IntArray, whys: Whys, relevance: FloatArray, shown: ToMark) -> list[Hit]:
    """Documents by their numbers as hits, in this order."""
    return hits_with(state, state.documents.at(numbers.tolist()), whys, relevance, shown)


def hits_with(state: Searched, stored: Sequence[Stored], whys: Whys, relevance: FloatArray, shown: ToMark) -> list[Hit]:
    """Documents as hits, in this order."""
    page = _ToTell(stored, shown, whys)
    return [
        made_later(each.document, _cluster_number(state, each.number), float(share), partial(page.attributes, at))
        for at, (each, share) in enumerate(zip(stored, relevance, strict=True))
    ]


def _cluster_number(state: Searched, number: int) -> int:
    row = state.rows.row(number) if state.fitted else -1
    return int(state.cluster_numbers[row]) if row >= 0 else -1
