"""vicinal: document embeddings, clusters, search and classification by Locality Preserving Indexing.

The public names below are loaded when they are first used, so that ``import vicinal`` stays fast.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from vicinal._lazy_names import loader

if TYPE_CHECKING:
    from vicinal import (
        corpus,
        datasets,
        encoders,
        engines,
        errors,
        graph,
        index,
        methods,
        metrics,
        planning,
        plot,
        projection,
        serve,
        spectrum,
        terms,
        uses,
    )
    from vicinal._choice import Choice
    from vicinal.corpus import Document, Reading, read
    from vicinal.engines import engine
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
        KernelOLPI,
        KernelRLPI,
        KernelSLPI,
        LaplacianEigenmap,
        LaplacianScore,
        SparsePCA,
        laplacian_score_lpi,
    )
    from vicinal.planning import plan
    from vicinal.projection import Ridge
    from vicinal.terms import Vectorizer, Weighting
    from vicinal.uses import CentroidClassifier, Classifier, Topics, cluster, layout, search

__version__ = "0.1.0"

#: Where each name of the front door is defined; it is loaded when it is first used.
_HOMES = {
    "_choice": ("Choice",),
    "corpus": ("Document", "Reading", "read"),
    "engines": ("engine",),
    "index": ("Index", "open"),
    "methods": (
        *("FSSL", "LDA", "LPFL", "LPI", "LPP", "LSI", "NMFNCW", "OLPI", "PLSI", "RLPI", "SLPI", "SRDA"),
        *("KernelOLPI", "KernelRLPI", "KernelSLPI", "LaplacianEigenmap", "LaplacianScore", "SparsePCA", "laplacian_score_lpi"),
    ),
    "planning": ("plan",),
    "projection": ("Ridge",),
    "terms": ("Vectorizer", "Weighting"),
    "uses": ("CentroidClassifier", "Classifier", "Topics", "cluster", "layout", "search"),
}
_MODULES = (
    "corpus",
    "datasets",
    "encoders",
    "engines",
    "errors",
    "graph",
    "index",
    "methods",
    "metrics",
    "planning",
    "plot",
    "projection",
    "serve",
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
    "KernelOLPI",
    "KernelRLPI",
    "KernelSLPI",
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
    "engine",
    "engines",
    "errors",
    "graph",
    "index",
    "laplacian_score_lpi",
    "layout",
    "methods",
    "metrics",
    "open",
    "plan",
    "planning",
    "plot",
    "projection",
    "read",
    "search",
    "serve",
    "spectrum",
    "terms",
    "uses",
]

__getattr__ = loader(__name__, _HOMES, _MODULES)


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])
