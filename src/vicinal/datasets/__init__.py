"""Corpora that can be loaded by name."""

from vicinal.datasets._docstrings import load_docstrings

__all__ = ["load_docstrings"]
