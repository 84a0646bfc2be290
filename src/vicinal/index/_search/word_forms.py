"""Forms of words: which words of a text stand for the terms of a query, by the stemmers and spellings of the index.

SQLite's full text knows English endings alone; the index was found by more.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, final

from vicinal._scripts import is_unspaced
from vicinal._store import Settings, Store
from vicinal.index import _stored
from vicinal.terms import Tokenizer
from vicinal.terms._languages import ENGLISH
from vicinal.terms._stems import terms_of


@final
class WordForms:
    """From words to the terms that they stand for, as the vocabulary of an index has it.

    Parameters
    ----------
    kept : mapping
        The setting of the vocabulary.
    """

    def __init__(self, kept: Mapping[str, Any]) -> None:
        self._stem, self.language, self._segmenter = _stored.stem_of(kept), _stored.language_of(kept), kept.get("segmenter")

    @cached_property
    def tokenizer(self) -> Tokenizer:
        """Splits queries and texts."""
        return Tokenizer(language=self.language, segmenter=self._segmenter)

    def terms_of(self, tokens: Sequence[str]) -> list[str]:
        """The term that each token stands for."""
        return terms_of(tokens, self._stem, self.language or ())

    @property
    def only_english(self) -> bool:
        """Whether the full text of the store knows all endings that the index does: those of English, or none."""
        return self.language in (None, (ENGLISH,))

    def has_form(self, word: str, text: str) -> bool:
        """Whether a text has a word in any form."""
        wanted, there = (self.terms_of(list(self.tokenizer(each))) for each in (word, text))
        return not set(wanted).isdisjoint(there)

    def other_forms(self, tokens: Sequence[str], texts: Iterable[str]) -> list[str]:
        """Words of texts that stand for the terms of tokens and are not among them, in order. Of English there are none."""
        if not tokens or self.only_english:
            return []
        words = sorted({word for text in texts for word in self.tokenizer(text)}.difference(tokens))
        spaced = [word for word in words if word.isascii() or not is_unspaced(word)]
        wanted = set(self.terms_of(tokens))
        return [word for word, term in zip(spaced, self.terms_of(spaced), strict=True) if term in wanted]


def forms_in(store: Store, query: str, texts: Iterable[str]) -> list[str]:
    """Words of texts that are other forms of the words of a query; none before a fit."""
    kept = Settings(store).get(_stored.VOCABULARY)
    if kept is None:
        return []
    with _stored.consistent(store):
        forms = WordForms(kept)
        return forms.other_forms(list(forms.tokenizer(query)), texts)
