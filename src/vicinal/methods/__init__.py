"""The methods: each a scikit-learn estimator that is little more than its row of the table.

=================== ============================ =================== ===========================
method              graph                        route               penalty or option
=================== ============================ =================== ===========================
LSI                 (none)                       truncated SVD
LaplacianEigenmap   any                          the spectrum itself
LPP                 any                          pencil              Ridge(α), centred
LPI                 any                          pencil              Ridge(α), α = 0
OLPI                any                          pencil              orthonormal directions
RLPI                any                          regress             Ridge(α)
SLPI                any                          regress             TermCount(n) or ElasticNet(α, ρ)
FSSL                any                          regress             RowLassoCount(n) or RowLasso(α, ρ)
LPFL                any                          regress             RowCount(n, ρ)
SparsePCA           (principal components)       regress             TermCount(n) or ElasticNet(α, ρ)
LDA                 classes                      pencil              Ridge(α), α = 0, centred
SRDA                classes                      regress             Ridge(α), centred
KernelRLPI          any                          regress on kernels  Ridge(α)
PLSI                (none)                       X ≈ V H             least KL divergence
NMFNCW              (none)                       X ≈ V H             least squares, cut weights
LaplacianScore      any                          ranks single terms  keeps the smoothest
=================== ============================ =================== ===========================

*Any* graph is: nearest neighbours by default; the class graph when ``fit`` is given labels; both mixed when only some
labels are known; or whatever graph the ``graph`` parameter holds.

:class:`LDA` and :class:`SRDA` cannot learn without labels, so they are ``SUPERVISED`` and not among ``METHODS``.
:class:`LaplacianScore` keeps columns of X and makes no dimensions, so it is a selector and not one of ``METHODS``;
:func:`laplacian_score_lpi` puts it before LPI.
"""

from __future__ import annotations

from vicinal.methods._base import Method
from vicinal.methods._discriminant import LDA, SRDA
from vicinal.methods._factorisation import NMFNCW, PLSI
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
)
#: What cannot learn without labels.
SUPERVISED: tuple[type[Method], ...] = (LDA, SRDA)
#: What keeps terms and makes no dimensions.
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
    "KernelRLPI",
    "LaplacianEigenmap",
    "LaplacianScore",
    "SparsePCA",
    "laplacian_score_lpi",
]
