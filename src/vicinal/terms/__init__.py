"""Terms: texts become a matrix of weighted terms, by tokens, a vocabulary and weights. The formulas are in docs/maths/terms.md.

The names below are loaded when they are first used, so that what needs few of them stays fast.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from vicinal._lazy_names import loader

if TYPE_CHECKING:
    from vicinal.terms._row_blocks import RowBlocks
    from vicinal.terms._tokens import Tokenizer
    from vicinal.terms._vectorizer import Vectorizer
    from vicinal.terms._weight import Weighting, unit_rows
    from vicinal.terms._words import ENGLISH_STOP_WORDS

_HOMES = {
    "_row_blocks": ("RowBlocks",),
    "_tokens": ("Tokenizer",),
    "_vectorizer": ("Vectorizer",),
    "_weight": (
        "Weighting",
        "unit_rows",
    ),
    "_words": ("ENGLISH_STOP_WORDS",),
}

__all__ = ["ENGLISH_STOP_WORDS", "RowBlocks", "Tokenizer", "Vectorizer", "Weighting", "unit_rows"]

__getattr__ = loader(__name__, _HOMES)


def __dir__() -> list[str]:
    return sorted(__all__)
