"""Small collections with questions and judged answers: Cranfield (aerodynamics), MED (medicine), CISI (libraries)."""

from __future__ import annotations

from functools import cache

from corpora.place import locate
from vicinal.datasets import RetrievalDataset, load_smart
from vicinal.datasets._smart import SMART_NAMES as NAMES

__all__ = ["NAMES", "load"]


@cache
def load(name: str) -> RetrievalDataset:
    """Return one collection; see `vicinal.datasets.load_smart`.

    Parameters
    ----------
    name : {"cranfield", "med", "cisi"}
    """
    return load_smart(locate("smart"), name)
