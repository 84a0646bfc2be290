"""Terms: texts become a matrix of weighted terms, by tokens, a vocabulary and weights. The formulas are in docs/maths/terms.md."""

from vicinal.terms._tokens import Tokenizer
from vicinal.terms._vectorizer import Vectorizer
from vicinal.terms._weight import Weighting, unit_rows
from vicinal.terms._words import ENGLISH_STOP_WORDS

__all__ = ["ENGLISH_STOP_WORDS", "Tokenizer", "Vectorizer", "Weighting", "unit_rows"]
