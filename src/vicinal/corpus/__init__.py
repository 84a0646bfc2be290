"""Corpus: documents are read from files, folders, tables, mail and streams."""

from vicinal.corpus._document import Document
from vicinal.corpus._read import Reading, read
from vicinal.corpus._read_options import Limits
from vicinal.corpus._report import Skipped

__all__ = ["Document", "Limits", "Reading", "Skipped", "read"]
