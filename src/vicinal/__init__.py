"""vicinal: document embeddings, clusters, search and classification by Locality Preserving Indexing.

The public names below are loaded when they are first used, so that ``import vicinal`` stays fast.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from vicinal import corpus, datasets, encoders, errors, graph, index, methods, metrics, projection, spectrum, terms, uses
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
    from vicinal.uses import CentroidClassifier, Classifier, Topics, cluster, search

__version__ = "0.1.0"

#: Where each name of the front door is defined; it is loaded when it is first used.
_NAMES = {
    "vicinal._choice": ("Choice",),
    "vicinal.corpus": ("Document", "Reading", "read"),
    "vicinal.index": ("Index", "open"),
    "vicinal.methods": (
        *("FSSL", "LDA", "LPFL", "LPI", "LPP", "LSI", "NMFNCW", "OLPI", "PLSI", "RLPI", "SLPI", "SRDA"),
        *("KernelRLPI", "LaplacianEigenmap", "LaplacianScore", "SparsePCA", "laplacian_score_lpi"),
    ),
    "vicinal.projection": ("Ridge",),
    "vicinal.terms": ("Vectorizer", "Weighting"),
    "vicinal.uses": ("CentroidClassifier", "Classifier", "Topics", "cluster", "search"),
}
_HOMES = {name: home for home, names in _NAMES.items() for name in names}
_MODULES = (
    "corpus",
    "datasets",
    "encoders",
    "errors",
    "graph",
    "index",
    "methods",
    "metrics",
    "projection",
    "spectrum",
    "terms",
    "uses",
)

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
    "Classifier",
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
    "encoders",
    "errors",
    "graph",
    "index",
    "laplacian_score_lpi",
    "methods",
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
