"""Corpus: text comes in."""

from vicinal.corpus._document import Document
from vicinal.corpus._files import Limits
from vicinal.corpus._read import Reading, read
from vicinal.corpus._report import Skipped

__all__ = ["Document", "Limits", "Reading", "Skipped", "read"]
