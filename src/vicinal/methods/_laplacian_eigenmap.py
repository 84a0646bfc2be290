"""LaplacianEigenmap: the eigenvectors of the neighbour graph themselves as embeddings."""

from __future__ import annotations

from typing import final

from vicinal._typing import ArrayLike, FloatArray, LabelsLike, Terms
from vicinal.methods._graph_method import GraphMethod
from vicinal.methods._shared_docs import with_shared_docs


@final
@with_shared_docs
class LaplacianEigenmap(GraphMethod):
    """Laplacian eigenmaps: the smoothest functions on the neighbour graph are the embeddings of its documents [1]_.

    Solves W y = λ D y for the largest λ < 1 (S1). The method embeds only the documents that it is fitted on: there is
    no ``transform``. :class:`~vicinal.RLPI` approximates the same functions by a map from terms, which embeds any
    document.

    Parameters
    ----------
    {n_components}
    {n_neighbors}
    {weight}
    {graph}
    solver : {"auto", "dense", "lanczos", "chebyshev"}, default="auto"
        Solver of the eigenproblem. "auto" chooses by size.
    tol : float, default=1e-10
        Relative residual of an eigenvector at which an iterative solver stops.
    max_iter : int or None, default=None
        Maximum number of iterations of "lanczos"; None: the default of ARPACK.
    {disconnected}
    {n_jobs}
    {random_state}

    Attributes
    ----------
    embedding_ : ndarray of shape (n_documents, n_components)
        Embeddings of the training documents; zero for a document outside the graph.
    {eigenvalues_}
    spectrum_ : Spectrum
        The solution of the eigenproblem with its residuals.
    {fitted_n_components}
    {fitted_graph}
    {fitted_features}

    References
    ----------
    .. [1] M. Belkin and P. Niyogi. Laplacian eigenmaps for dimensionality reduction and data representation. Neural
       Computation, 15(6):1373-1396, 2003. Section 2.

    Examples
    --------
    >>> from vicinal import LaplacianEigenmap
    {example_texts}
    >>> Z = LaplacianEigenmap(n_components=1, n_neighbors=2).fit_transform(X)
    >>> (Z[:, 0] > 0).tolist()
    [True, True, True, False, False, False]
    """

    def _learn(self, X: Terms, n_components: int) -> int:
        wanted = self._wanted(max(1, int(self.graph_.has_edges.sum()) - 1))  # not limited by the number of terms
        self.spectrum_ = self._solve_spectrum(wanted, solver=self.solver, tol=self.tol, max_iter=self.max_iter)
        self.embedding_, self.eigenvalues_ = self.spectrum_.vectors, self.spectrum_.values
        return len(self.spectrum_)

    def fit_transform(self, X: ArrayLike, y: LabelsLike | None = None) -> FloatArray:
        """Fit the method to documents and return their embeddings.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_documents, n_terms)
            Weights of the terms of each document.
        y : array-like of shape (n_documents,), optional
            Labels, as in ``fit``.

        Returns
        -------
        ndarray of shape (n_documents, n_components)
            The attribute ``embedding_``.
        """
        return self.fit(X, y).embedding_
