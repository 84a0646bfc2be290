"""Paragraphs that the docstrings of several estimators share: a line ``{name}`` of a docstring becomes the paragraph.

A paragraph may be made of others in the same way.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from textwrap import indent
from typing import TypeVar

PLACEHOLDER = re.compile(r"^( *)\{(\w+)\}$", re.MULTILINE)

PARAGRAPHS = {
    # parameters
    "n_components": """\
n_components : int, "auto" or None, default=None
    Number of components. None: 30, or as many as there can be. A number that cannot be reached gives a
    :class:`~vicinal.errors.FewerComponents` warning. "auto": chosen automatically, up to 50: the number of components
    that two halves of the documents have in common (P43).""",
    "n_components_given": """\
n_components : int or None, default=None
    Number of components. None: 30, or as many as there can be. A number that cannot be reached gives a
    :class:`~vicinal.errors.FewerComponents` warning.""",
    "n_neighbors": """\
n_neighbors : int or None, default=None
    Number of nearest neighbours of each document in the graph. None: 7, or all other documents in a smaller corpus.""",
    "weight": """\
weight : {"cosine", "dot", "heat", "binary"}, default="cosine"
    Weight of an edge between neighbours: their cosine similarity, the dot product of their rows as they are, a heat
    kernel of their distance, or 1 (G3).""",
    "graph": """\
graph : {"knn", "complete", "consensus", "auto"}, Graph or array-like, default="knn"
    The neighbour graph: how to build it from X, a :class:`~vicinal.graph.Graph`, or a symmetric matrix of weights.
    "knn" joins nearest neighbours and "complete" all documents. "consensus" joins documents that several clusterings
    into ``n_components`` clusters put together; "auto" does so for a number of clusters that is chosen automatically.
    Both take several times as long as "knn", which is used in their place for fewer than 20 documents.""",
    "disconnected": """\
disconnected : {"bridge", "keep", "apart"}, default="bridge"
    What to do when the graph has several connected components: join them by an edge between their most similar
    documents, keep them as they are, so that the first components tell them apart, or embed each by itself.""",
    "recall": """\
recall : float, default=1.0
    The share of the true neighbours that the search for the graph "knn" has to find, above 0. Below 1, in large sparse
    corpora, a pruned search takes the place of the exact one where it costs less (G15); ``graph_.recall`` is what it
    found, measured on a sample.""",
    "n_jobs": """\
n_jobs : int or None, default=None
    Number of threads; None: one per core. The result does not depend on it.""",
    "random_state": """\
random_state : int, RandomState or None, default=0
    Random seed of the iterative solvers. With an int, every run gives the same bits.""",
    "engine": """\
engine : Engine, str or None, default=None
    Where the fit runs: an :class:`~vicinal.engines.Engine`, or what :func:`vicinal.engine` makes one of: "threads", "disk", or the
    address of a Dask scheduler. X is then divided into row blocks. X may also be given in them: as
    :class:`~vicinal.terms.RowBlocks`, as the path of rows on disk, or as an iterator of blocks. The search for neighbours is
    exact then, and "auto" is not available. None: the engine of a ``with`` statement around the fit; or else none for a matrix,
    and threads for blocks.""",
    "eigen_solver": """\
eigen_solver : {"auto", "dense", "lanczos", "chebyshev"}, default="auto"
    Solver of the eigenproblem of the graph. "auto" chooses by size.""",
    "center": """\
center : bool, default=False
    Whether to subtract the mean document first. A sparse X stays sparse.""",
    "pencil_solver": """\
solver : {"auto", "dense", "lanczos"}, default="auto"
    Solver of the generalised eigenproblem. "auto" chooses by size.
tol : float, default=1e-10
    Relative residual of an eigenvector at which "lanczos" stops.
max_iter : int or None, default=None
    Maximum number of iterations of "lanczos"; None: the default of ARPACK.""",
    "pencil_alpha": """\
alpha : float, default=0.0
    Strength of the ridge penalty. 0 is the method as published.""",
    "ridge_alpha": """\
alpha : float or "auto", default=0.1
    Strength of the ridge penalty. "auto": chosen automatically by held-out validation (P39), which takes about as
    long as the regression itself.""",
    "ridge_solver": """\
solver : {"auto", "cholesky", "cgls"}, default="auto"
    Solver of the regression: a factorisation of the smaller Gram matrix, or block conjugate gradients, which need
    only products with X. "auto" chooses by size.
tol : float, default=1e-3
    Relative error at which "cgls" stops. Results on different machines may differ by as much.
max_iter : int, default=200
    Maximum number of iterations of "cgls". Reaching it gives an :class:`~vicinal.errors.Unconverged` warning.""",
    "elastic_net_ridge": """\
ridge : float, default=0.0
    Strength ρ of an additional ridge penalty. Above 0, terms that occur together are selected together.""",
    "factor_init": """\
init : {"nndsvd", "random"} or array-like of shape (n_components, n_features), default="nndsvd"
    Start of the iteration: singular vectors of X (F7), random numbers, or given factors H.
tol : float, default=1e-4
    The iteration stops when ten steps lower the error by less than this share of the first error.
max_iter : int, default=1000
    Maximum number of iterations. Reaching it gives an :class:`~vicinal.errors.Unconverged` warning.""",
    "kernel_shape": """\
gamma : float or "scale", default="scale"
    Parameter γ of exp(-γ‖x - z‖²) and of (γ x·z + coef0)^degree. "scale" is one over the variance of the
    documents, about 1 on rows of length one.
degree : int, default=3
    Degree of the polynomial kernel.
coef0 : float, default=1.0
    Constant of the polynomial kernel. With 0 it consists of products of exactly ``degree`` terms.""",
    "n_landmarks": """\
n_landmarks : int or None, default=None
    Number of training documents in the sum, drawn uniformly at random: the Nyström method (P36). None: all, for
    up to 10,000 documents; more are refused.""",
    "kernel_graph": """\
{n_landmarks}
{n_neighbors}
{weight}
{graph}""",
    "kernel_solved": """\
{disconnected}
{n_jobs}
{kernel_random_state}""",
    "kernel_random_state": """\
random_state : int, RandomState or None, default=0
    Random seed of the landmarks and of the eigensolver. With an int, every run gives the same bits.""",
    "clustered": """\
documents : iterable of str, or array-like or sparse of shape (n_documents, n_terms)
    Texts, counts or weights, as for ``fit``.
y : array-like of shape (n_documents,), optional
    Labels, -1 or None where a document has none.
embeddings : array-like of shape (n_documents, n_numbers), optional
    An encoder's vectors of the documents, as for ``fit``.
views : sequence, optional
    More evidence, as for ``fit``.
seed_words : mapping from str to iterable of str, optional
    Words by the name of a class, as for ``fit``.
must_link, cannot_link : iterable of (int, int), optional
    Numbers of two documents that must be in one cluster, or cannot be.""",
    # attributes
    "components_": """\
components_ : ndarray of shape (n_components, n_features)
    Weight of each term in each component.""",
    "eigenvalues_": """\
eigenvalues_ : ndarray of shape (n_components,)
    Eigenvalue λ of each component, largest first: 1 for a component that is as smooth on the graph as a constant.""",
    "fitted_n_components": """\
n_components_ : int
    Number of components found.
n_components_evidence_ : Choice or None
    With ``n_components="auto"``: candidates, scores, and the range of values that score nearly the same.""",
    "fitted_graph": """\
graph_ : Graph
    The graph learnt from. Isolated documents and, with ``disconnected="bridge"``, connected components are joined.
unembedded_ : ndarray of bool, shape (n_documents,)
    Training documents outside the graph: without terms, or with none in common with another document. Their embedding is zero.""",
    "projection_": """\
projection_ : Projection
    The linear map from terms to components, which can explain an embedding term by term.""",
    "fitted_features": """\
n_features_in_ : int
    Number of terms.
feature_names_in_ : ndarray of str
    Names of the terms, if X was a data frame.""",
    "n_iter_": """\
n_iter_ : int
    Number of iterations of the solver; 1 for a direct one.""",
    "fitted_alpha": """\
alpha_ : float
    The ridge penalty that was used.
alpha_evidence_ : Choice or None
    With ``alpha="auto"``: candidates, scores, and the range of values that score nearly the same.""",
    "fitted_n_terms": """\
n_terms_evidence_ : Choice or None
    With ``n_terms="auto"``: candidates, scores, and the range of values that score nearly the same.""",
    "fitted_landmarks": """\
dual_coef_ : ndarray of shape (n_landmarks, n_components)
    C: weight of each landmark in each component.
landmarks_ : ndarray of int, shape (n_landmarks,)
    Numbers of the training documents in the sum.
gamma_ : float
    γ that was used.""",
    "fitted_kernel": """\
{fitted_landmarks}
{eigenvalues_}
{fitted_n_components}
{n_iter_}
{fitted_graph}
{fitted_features}""",
    "without_terms": """\
unembedded_ : ndarray of bool, shape (n_documents,)
    Training documents without terms. Their embedding is zero.""",
    # examples
    "example_texts": """\
>>> from vicinal import Vectorizer
>>> texts = ["cats chase mice at night", "mice fear cats", "cats sleep, mice hide at night",
...          "stocks fall at night", "bonds and stocks fall", "banks sell stocks and bonds"]
>>> X = Vectorizer(min_df=1).fit_transform(texts)""",
}

T = TypeVar("T", bound=type | Callable[..., object])


def with_shared_docs(documented: T) -> T:
    """Decorator: write the shared paragraphs into the docstring of an estimator, or of a method."""
    if documented.__doc__ is not None:
        documented.__doc__ = _written(documented.__doc__)
    return documented


def _written(text: str) -> str:
    return PLACEHOLDER.sub(lambda line: indent(_written(PARAGRAPHS[line[2]]), line[1]), text)
