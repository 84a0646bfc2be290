"""LaplacianEigenmap: the row that stops at the spectrum."""

from __future__ import annotations

from typing import final

from vicinal._typing import ArrayLike, FloatArray, Terms
from vicinal.methods._estimator import GraphMethod
from vicinal.methods._responses import spectrum_of


@final
class LaplacianEigenmap(GraphMethod):
    """Laplacian eigenmaps: the smoothest functions on the graph, themselves the places of the documents.

    It can place only the documents it was learnt from: there is no ``transform``. RLPI follows the same functions and places any
    document. ``solver`` is "auto", "dense", "lanczos" or "chebyshev"; ``tol`` the residual of an eigenvector.

    Attributes
    ----------
    embedding_ : array (documents, n_components)
        Places; zero for a document outside the graph.
    eigenvalues_, graph_, spectrum_, unembedded_
        See the module's page; ``spectrum_`` is the :class:`~vicinal.spectrum.Spectrum` itself.
    """

    def _learn(self, X: Terms, n_components: int) -> int:
        wanted = self._wanted(max(1, int(self.graph_.has_edges.sum()) - 1))  # not bound by the number of terms
        self.spectrum_ = spectrum_of(self, wanted, solver=self.solver, tol=self.tol, max_iter=self.max_iter)
        self.embedding_, self.eigenvalues_ = self.spectrum_.vectors, self.spectrum_.values
        return len(self.spectrum_)

    def fit_transform(self, X: ArrayLike, y: ArrayLike | None = None) -> FloatArray:
        """Learn from documents and return their places."""
        return self.fit(X, y).embedding_
