"""Corpora that can be loaded by name."""

from vicinal.datasets._docstrings import docstrings

__all__ = ["docstrings"]
