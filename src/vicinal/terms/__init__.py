"""Terms: texts become a matrix of weighted terms, by tokens, a vocabulary and weights. The formulas are in docs/maths/terms.md."""

from vicinal.terms._tokens import ENGLISH_STOP_WORDS, Tokenizer
from vicinal.terms._vectorizer import Vectorizer
from vicinal.terms._weight import Weighting, unit_rows

__all__ = ["ENGLISH_STOP_WORDS", "Tokenizer", "Vectorizer", "Weighting", "unit_rows"]
