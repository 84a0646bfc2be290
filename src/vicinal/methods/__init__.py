"""Scikit-learn estimators that embed documents: each combines a graph, a way to find components, and a penalty.

=================== ============================ =================== ===============================
method              graph                        components by       penalty or option
=================== ============================ =================== ===============================
LSI                 (none)                       truncated SVD
LaplacianEigenmap   any                          eigenvectors
LPP                 any                          eigenproblem (P10)  Ridge(α), centred
LPI                 any                          eigenproblem (P10)  Ridge(α), α = 0
OLPI                any                          eigenproblem (P10)  orthonormal components
RLPI                any                          regression (P1)     Ridge(α)
SLPI                any                          regression (P1)     TermCount(n) or ElasticNet(α, ρ)
FSSL                any                          regression (P1)     RowLassoCount(n) or RowLasso(α, ρ)
LPFL                any                          regression (P1)     RowCount(n, ρ)
SparsePCA           (principal components)       regression (P1)     TermCount(n) or ElasticNet(α, ρ)
LDA                 classes                      eigenproblem (P10)  Ridge(α), α = 0, centred
SRDA                classes                      regression (P1)     Ridge(α), centred
KernelRLPI          any                          regression, kernel  Ridge(α)
KernelOLPI          any                          pencil, kernel      orthonormal components
KernelSLPI          any                          regression, kernel  TermCount(n) of documents
PLSI                (none)                       X ≈ V H             Kullback-Leibler divergence
NMFNCW              (none)                       X ≈ V H             squares, normalised-cut weights
LaplacianScore      any                          ranks single terms  selects the smoothest
=================== ============================ =================== ===============================

*Any* graph: nearest neighbours by default, the classes when ``fit`` is given labels, a mixture of both when only some
documents are labelled, or the graph that the parameter ``graph`` holds.

``METHODS`` are the estimators that need no labels and return components, ``SUPERVISED`` those that require labels, and
``SELECTORS`` those that select terms; :func:`laplacian_score_lpi` applies LPI to the selected terms.
"""

from __future__ import annotations

from vicinal.methods._base import Method
from vicinal.methods._discriminant import LDA, SRDA
from vicinal.methods._factorisation import NMFNCW, PLSI
from vicinal.methods._kernel_components import KernelOLPI, KernelSLPI
from vicinal.methods._kernel_rlpi import KernelRLPI
from vicinal.methods._laplacian_eigenmap import LaplacianEigenmap
from vicinal.methods._locality_preserving import LPI, LPP, OLPI
from vicinal.methods._lsi import LSI
from vicinal.methods._rlpi import RLPI
from vicinal.methods._shared_terms import FSSL, LPFL
from vicinal.methods._sparse_components import SLPI, SparsePCA
from vicinal.methods._term_selection import LaplacianScore, laplacian_score_lpi

METHODS: tuple[type[Method], ...] = (
    LSI,
    LaplacianEigenmap,
    LPP,
    LPI,
    OLPI,
    RLPI,
    SLPI,
    FSSL,
    LPFL,
    SparsePCA,
    PLSI,
    NMFNCW,
    KernelRLPI,
    KernelOLPI,
    KernelSLPI,
)
#: Estimators that require labels.
SUPERVISED: tuple[type[Method], ...] = (LDA, SRDA)
#: Estimators that select terms.
SELECTORS: tuple[type[Method], ...] = (LaplacianScore,)

__all__ = [
    "FSSL",
    "LDA",
    "LPFL",
    "LPI",
    "LPP",
    "LSI",
    "METHODS",
    "NMFNCW",
    "OLPI",
    "PLSI",
    "RLPI",
    "SELECTORS",
    "SLPI",
    "SRDA",
    "SUPERVISED",
    "KernelOLPI",
    "KernelRLPI",
    "KernelSLPI",
    "LaplacianEigenmap",
    "LaplacianScore",
    "SparsePCA",
    "laplacian_score_lpi",
]
