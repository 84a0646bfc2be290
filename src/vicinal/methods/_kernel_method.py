"""Base class of the estimators that embed documents by their similarities to landmarks, in place of terms."""

from __future__ import annotations

from abc import abstractmethod

import numpy as np
from sklearn.utils import check_random_state

from vicinal._typing import FloatArray, IntArray, RandomState, Terms
from vicinal._validate import check_count
from vicinal.methods._base import EmbeddingMethod
from vicinal.methods._graph_method import GraphLike, GraphMethod
from vicinal.projection._kernels.kernel_functions import Kernel
from vicinal.projection._kernels.kernel_ridge import DualMap, refuse_many


class KernelMethod(GraphMethod, EmbeddingMethod):
    """A method whose embeddings are sums of similarities to landmarks, training documents all or some of them."""

    _map: DualMap

    def __init__(
        self,
        n_components: int | str | None = None,
        *,
        kernel: str = "cosine",
        gamma: float | str = "scale",
        degree: int = 3,
        coef0: float = 1.0,
        n_landmarks: int | None = None,
        n_neighbors: int | None = None,
        weight: str = "cosine",
        graph: GraphLike = "knn",
        disconnected: str = "bridge",
        n_jobs: int | None = None,
        random_state: RandomState = 0,
    ) -> None:
        super().__init__(
            n_components,
            n_neighbors=n_neighbors,
            weight=weight,
            graph=graph,
            disconnected=disconnected,
            n_jobs=n_jobs,
            random_state=random_state,
        )
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.n_landmarks = n_landmarks

    def _check_parameters(self) -> None:
        super()._check_parameters()
        self._kernel()
        if self.n_landmarks is not None:
            check_count("n_landmarks", self.n_landmarks)

    def _kernel(self) -> Kernel:
        return Kernel(self.kernel, self.gamma, self.degree, self.coef0)

    def _learn(self, X: Terms, n_components: int) -> int:
        embedded = np.flatnonzero(self.graph_.has_edges)
        if self.n_landmarks is None:
            refuse_many(len(embedded))
        wanted = self._wanted(max(1, len(embedded) - 1))  # not limited by the number of terms
        chosen = None if self.n_landmarks is None else self._draw(embedded)
        self._map = self._dual_map(X, wanted, chosen)
        self.landmarks_ = embedded if chosen is None else chosen
        self.gamma_ = float(self._map.landmarks.kernel.gamma)
        self.dual_coef_, self.eigenvalues_ = self._map.weights, self._map.eigenvalues
        self.n_iter_ = 1  # a direct solver
        return self._map.n_components

    @abstractmethod
    def _dual_map(self, X: Terms, n_components: int, landmarks: IntArray | None) -> DualMap:
        """The map from documents to components."""

    def _draw(self, embedded: IntArray) -> IntArray:
        """Landmarks drawn uniformly from the documents that take part, in document order; all of them where there are no more."""
        count = min(check_count("n_landmarks", self.n_landmarks), len(embedded))
        return np.sort(check_random_state(self.random_state).choice(embedded, count, replace=False))

    def _embed(self, X: Terms) -> FloatArray:
        return self._map.transform(X, self.n_jobs)

    @property
    def _n_features_out(self) -> int:
        return int(self.dual_coef_.shape[1])
