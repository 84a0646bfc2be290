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

*Any* graph is: nearest neighbours by default; the class graph when ``fit`` is given labels; both mixed when only some labels
are known; or whatever graph the ``graph`` parameter holds.

:class:`LDA` and :class:`SRDA` cannot learn without labels, so they are ``SUPERVISED`` and not among ``METHODS``.
:class:`LaplacianScore` keeps columns of X and makes no dimensions, so it is a selector and not one of ``METHODS``;
:func:`laplacian_score_lpi` puts it before LPI.

The others take these parameters and learn these attributes, those without a graph or a projection only what applies to them:

n_components : int or "auto", optional
    How many dimensions; 30 by default, or as many as there are. A number that cannot be had gives a warning. "auto", for methods
    with a graph: as many, up to 50, as two halves of the documents find in common (P43).
n_neighbors : int, optional
    How many neighbours each document chooses; 7 by default, or all others in a corpus smaller than that.
weight : {"cosine", "heat", "binary"}
    What an edge between neighbours weighs.
graph : {"knn", "complete", "consensus", "auto"}, Graph, or matrix of weights
    Who is near whom: found from X, or given. "consensus" joins documents that several views of the corpus put together, each
    view clustered into ``n_components`` groups; "auto" does so for as many groups as the documents have. Both take several times
    as long as neighbours, and have neighbours instead in a corpus of fewer than 20 documents.
alpha : float
    Strength of the ridge penalty.
solver, tol, max_iter
    How the last step is solved; "auto" decides by size. Each class says what it offers.
disconnected : {"bridge", "keep", "apart"}
    What to do with a graph that falls apart: join its components through their most similar documents, keep dimensions that
    tell components apart, or embed each by itself.
n_jobs : int, optional
    Threads. No result depends on it.
random_state : int, RandomState or None
    Start of the iterative solvers. With an int, every run gives the same bits.

components_ : array (n_components, n_features)
    What each term adds to each dimension.
eigenvalues_ : array (n_components,)
    λ of each dimension; 1 is as smooth on the graph as a constant.
n_components_ : int
    How many dimensions came out, for methods with a graph.
n_components_evidence_ : Choice or None
    With "auto": the candidates, their scores, and the range that does about as well.
graph_ : Graph
    The graph learnt from, repaired where it had holes.
projection_ : Projection
    The map itself, which can explain its answers.
unembedded_ : bool array (documents,)
    Training documents outside the graph: without words, or with none in common with another document.
n_features_in_, feature_names_in_, get_feature_names_out()
    As everywhere in scikit-learn.
"""

from __future__ import annotations

from vicinal.methods._discriminant import LDA, SRDA
from vicinal.methods._eigenmap import LaplacianEigenmap
from vicinal.methods._estimator import Method
from vicinal.methods._factors import NMFNCW, PLSI
from vicinal.methods._kernel import KernelRLPI
from vicinal.methods._lsi import LSI
from vicinal.methods._pencils import LPI, LPP, OLPI
from vicinal.methods._regression import RLPI
from vicinal.methods._selection import LaplacianScore, laplacian_score_lpi
from vicinal.methods._shared import FSSL, LPFL
from vicinal.methods._sparse import SLPI, SparsePCA

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
