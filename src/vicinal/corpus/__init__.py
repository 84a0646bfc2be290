"""Corpus: text comes in."""

from vicinal.corpus.docstrings import docstrings
from vicinal.corpus.document import Document

__all__ = ["Document", "docstrings"]
