"""Text becomes numbers: text, tokens, counts, weights. The formulas are in docs/maths/terms.md."""

from vicinal.terms.tokens import ENGLISH_STOP_WORDS, Tokenizer
from vicinal.terms.vectorizer import Vectorizer
from vicinal.terms.weight import Weighting, unit_rows

__all__ = ["ENGLISH_STOP_WORDS", "Tokenizer", "Vectorizer", "Weighting", "unit_rows"]
