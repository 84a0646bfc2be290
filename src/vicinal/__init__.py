"""vicinal: learn what a pile of documents is about from who is near whom.

The names below are the public door; each is loaded when it is first used, so that ``import vicinal`` stays fast.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from vicinal import corpus, datasets, errors, graph, metrics, projection, spectrum, terms, uses
    from vicinal._choice import Choice
    from vicinal.corpus import Document, Reading, read
    from vicinal.index import Index, open
    from vicinal.methods import (
        FSSL,
        LDA,
        LPFL,
        LPI,
        LPP,
        LSI,
        NMFNCW,
        OLPI,
        PLSI,
        RLPI,
        SLPI,
        SRDA,
        KernelRLPI,
        LaplacianEigenmap,
        LaplacianScore,
        SparsePCA,
        laplacian_score_lpi,
    )
    from vicinal.projection import Ridge
    from vicinal.terms import Vectorizer, Weighting
    from vicinal.uses import CentroidClassifier, Topics, cluster, search

__version__ = "0.1.0"

_HOMES = {
    "FSSL": "vicinal.methods",
    "LDA": "vicinal.methods",
    "LPFL": "vicinal.methods",
    "LPI": "vicinal.methods",
    "LPP": "vicinal.methods",
    "LSI": "vicinal.methods",
    "OLPI": "vicinal.methods",
    "RLPI": "vicinal.methods",
    "SLPI": "vicinal.methods",
    "SRDA": "vicinal.methods",
    "KernelRLPI": "vicinal.methods",
    "SparsePCA": "vicinal.methods",
    "CentroidClassifier": "vicinal.uses",
    "Choice": "vicinal._choice",
    "Document": "vicinal.corpus",
    "Index": "vicinal.index",
    "LaplacianEigenmap": "vicinal.methods",
    "LaplacianScore": "vicinal.methods",
    "laplacian_score_lpi": "vicinal.methods",
    "NMFNCW": "vicinal.methods",
    "PLSI": "vicinal.methods",
    "Reading": "vicinal.corpus",
    "Ridge": "vicinal.projection",
    "Topics": "vicinal.uses",
    "Vectorizer": "vicinal.terms",
    "Weighting": "vicinal.terms",
    "cluster": "vicinal.uses",
    "open": "vicinal.index",
    "read": "vicinal.corpus",
    "search": "vicinal.uses",
}
_MODULES = ("corpus", "datasets", "errors", "graph", "metrics", "projection", "spectrum", "terms", "uses")

__all__ = [
    "FSSL",
    "LDA",
    "LPFL",
    "LPI",
    "LPP",
    "LSI",
    "NMFNCW",
    "OLPI",
    "PLSI",
    "RLPI",
    "SLPI",
    "SRDA",
    "CentroidClassifier",
    "Choice",
    "Document",
    "Index",
    "KernelRLPI",
    "LaplacianEigenmap",
    "LaplacianScore",
    "Reading",
    "Ridge",
    "SparsePCA",
    "Topics",
    "Vectorizer",
    "Weighting",
    "cluster",
    "corpus",
    "datasets",
    "errors",
    "graph",
    "laplacian_score_lpi",
    "metrics",
    "open",
    "projection",
    "read",
    "search",
    "spectrum",
    "terms",
    "uses",
]


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    if name in _MODULES:
        return import_module(f"vicinal.{name}")
    raise AttributeError(f"module 'vicinal' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])
