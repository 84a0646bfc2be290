"""Corpus: text comes in."""

from vicinal.corpus.docstrings import docstrings
from vicinal.corpus.document import Document
from vicinal.corpus.files import Limits
from vicinal.corpus.read import Reading, read
from vicinal.corpus.report import Skipped

__all__ = ["Document", "Limits", "Reading", "Skipped", "docstrings", "read"]
