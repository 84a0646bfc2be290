"""PLSI and NMFNCW: rows without a graph, by scikit-learn's non-negative factorisation X ≈ V H."""

from __future__ import annotations

import warnings
from abc import abstractmethod
from typing import Any, Self, final

import numpy as np
import scipy.sparse as sp
from sklearn.base import ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.decomposition import NMF
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted

from vicinal._matrix import nonzero_rows, with_entries
from vicinal._threads import over_rows, single_threaded_libraries
from vicinal._typing import ArrayLike, FloatArray, IntArray, RandomState, Terms
from vicinal._validate import check_choice, check_count, check_number
from vicinal._warn import warn
from vicinal.errors import BadParameter, NoVariation, Unconverged
from vicinal.methods._estimator import Method, nothing_changed_by_errors, refuse_hopeless
from vicinal.methods._starts import from_singular_vectors
from vicinal.projection._products import multiply
from vicinal.terms import Weighting
from vicinal.terms._weight import learn_weights, refuse_negative, weigh

STARTS = ("nndsvd", "random")
LARGE = 20  # counts are brought to this power of two: scikit-learn lifts products below 1e-7, which then play no part
PLACE_TOL, PLACE_STEPS = 1e-6, 1000  # of the iteration that places one document
BLOCK = 64  # documents per task


class FactorMethod(ClassNamePrefixFeaturesOutMixin, TransformerMixin, Method):
    """A method that writes documents as sums of a few factors, none of them negative: X ≈ V H (F1)."""

    components_: FloatArray

    def __init__(
        self,
        n_components: int | None = None,
        *,
        init: Any = "nndsvd",
        tol: float = 1e-4,
        max_iter: int = 1000,
        random_state: RandomState = 0,
    ) -> None:
        self.n_components = n_components
        self.init = init
        self.tol = tol
        self.max_iter = max_iter
        self.random_state = random_state

    @abstractmethod
    def _factorise(self, X: Terms) -> int:
        """Learn ``components_`` from documents; returns how many came out."""

    @abstractmethod
    def _place(self, X: Terms) -> FloatArray:
        """V for documents, each by itself."""

    def fit(self, X: ArrayLike, y: ArrayLike | None = None) -> Self:
        """Learn from documents; labels are ignored.

        Parameters
        ----------
        X : documents x terms, sparse or dense
            Counts or weights, none below zero.
        y : ignored
        """
        with nothing_changed_by_errors(self):
            self._check_parameters()
            X = self._check_counts(X, "fit")
            refuse_hopeless(X)
            if not X.nnz:
                raise NoVariation(
                    f"all {X.shape[0]} documents (n_samples = {X.shape[0]}) are empty, so there is nothing to factorise."
                )
            found = self._factorise(X)
            self._say_fewer(found, f"{int(nonzero_rows(X).sum())} documents with words x {X.shape[1]} terms give no more")
            self._say_empty(X)
        return self

    def fit_transform(self, X: ArrayLike, y: ArrayLike | None = None) -> FloatArray:
        """Learn from documents and place them: the same bits as ``fit(X).transform(X)``."""
        return self.fit(X, y).transform(X)

    def transform(self, X: ArrayLike) -> FloatArray:
        """Place documents: the same answer for a document whatever the others are.

        Parameters
        ----------
        X : documents x terms, sparse or dense

        Returns
        -------
        array (documents, n_components)
            V, nowhere negative. A document without words that were learnt is placed at zero.
        """
        check_is_fitted(self, "components_")
        X = self._check_counts(X, "transform")
        with single_threaded_libraries():
            return self._place(X)

    def _check_parameters(self) -> None:
        if self.n_components is not None:
            check_count("n_components", self.n_components)
        if isinstance(self.init, str):
            check_choice("init", self.init, STARTS)
        check_number("tol", self.tol)
        check_count("max_iter", self.max_iter)

    def _check_counts(self, X: ArrayLike, verb: str) -> Terms:
        checked = sp.csr_array(self._check_documents(X, verb)).astype(np.float64)
        refuse_negative(checked, type(self).__name__)
        return checked

    def _solve(self, X: Terms, loss: str) -> tuple[FloatArray, FloatArray]:
        """V and H by scikit-learn's multiplicative updates, on one thread; factors that died out are left out."""
        X = X[nonzero_rows(X)]  # an empty document teaches nothing, and must not change where the others start
        with single_threaded_libraries(), warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            start = self._start(X, self._wanted(min(X.shape)))
            options = {"tol": self.tol, "max_iter": self.max_iter, "random_state": self.random_state, **start.pop("options")}
            model = NMF(solver="mu", beta_loss=loss, **options)
            V = model.fit_transform(X, **start)
        self.n_iter_ = int(model.n_iter_)
        if self.n_iter_ == self.max_iter and self.tol > 0:
            self._say_unconverged()
        alive = V.any(axis=0) & model.components_.any(axis=1)
        return V[:, alive], model.components_[alive]

    def _start(self, X: Terms, k: int) -> dict[str, Any]:
        """What scikit-learn is to start from: V and H, or chance."""
        if isinstance(self.init, str) and self.init == "random":
            return {"options": {"n_components": k, "init": "random"}}
        V, H = from_singular_vectors(X, k, self.random_state) if isinstance(self.init, str) else self._given(X, k)
        return {"options": {"n_components": len(H), "init": "custom"}, "W": V, "H": H}

    def _given(self, X: Terms, k: int) -> tuple[FloatArray, FloatArray]:
        """H as given, and as much of each factor for every document as makes V H add up to X."""
        H = np.array(self.init, dtype=np.float64)
        if H.shape != (k, X.shape[1]) or not np.isfinite(H).all() or H.min() < 0 or not H.any(axis=1).all():
            raise BadParameter(
                f"init must be one of {', '.join(map(repr, STARTS))} or an array of shape ({k}, {X.shape[1]}), finite, "
                f"not negative and with no row of zeros, got an array of shape {H.shape}."
            )
        return np.full((X.shape[0], k), X.sum() / (X.shape[0] * H.sum())), H

    def _say_unconverged(self) -> None:
        warn(
            f"{type(self).__name__} stopped after {self.n_iter_} iterations before the error settled to tol={self.tol:.1e}. "
            f"Raise max_iter, or raise tol.",
            Unconverged,
        )

    @property
    def _n_features_out(self) -> int:
        return len(self.components_)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.positive_only = True
        return tags


@final
class PLSI(FactorMethod):
    """Probabilistic latent semantic indexing: each document a mixture of a few latent classes, each class a mixture of words.

    P(w|d) = Σ_z P(z|d) P(w|z) with the largest likelihood of the counts (F2): the factorisation of least Kullback-Leibler
    divergence, its factors normalised (F3). A baseline of the papers; it knows no neighbours and no labels.

    Parameters
    ----------
    n_components : int, optional
        How many latent classes; 30 by default, or as many as there are documents or terms.
    init : {"nndsvd", "random"} or array (n_components, n_features)
        Where to start: from the singular vectors of X, at random, or at given P(w|z) with equal P(z|d).
    tol : float
        Stop when ten iterations lower the error by less than this share of the first error.
    max_iter : int
        The limit; :class:`~vicinal.errors.Unconverged` says when it was reached.
    random_state : int, RandomState or None

    Attributes
    ----------
    components_ : array (n_components, n_features)
        P(w|z): each row adds up to one.
    priors_ : array (n_components,)
        P(z), adding up to one.
    labels_ : int array (documents,)
        The most probable class of each training document, -1 for one without words.
    unembedded_ : bool array (documents,)
        Training documents without words.
    n_iter_ : int
    """

    priors_: FloatArray
    labels_: IntArray

    def predict(self, X: ArrayLike) -> IntArray:
        """Say the most probable latent class of each document, the first of equals; -1 where no word was learnt."""
        return _largest(self.transform(X))

    def _factorise(self, X: Terms) -> int:
        counts = with_entries(X, np.ldexp(X.data, LARGE - int(np.frexp(X.data.max())[1])))
        V, H = self._solve(counts, "kullback-leibler")
        sums = H.sum(axis=1)
        weights = V.sum(axis=0) * sums
        self.components_, self.priors_ = H / sums[:, None], weights / weights.sum()
        self.labels_ = _largest(self._place(X))
        return len(sums)

    def _place(self, X: Terms) -> FloatArray:
        from vicinal.methods._factor_kernels import expect_and_maximize

        P, shares = np.ascontiguousarray(self.components_.T), np.zeros((X.shape[0], len(self.components_)))

        def task(start: int, stop: int) -> None:
            expect_and_maximize(start, stop, X.indptr, X.indices, X.data, P, PLACE_TOL, PLACE_STEPS, shares)

        over_rows(task, X.shape[0], None, BLOCK)
        return shares


def _largest(shares: FloatArray) -> IntArray:
    return np.where(shares.any(axis=1), shares.argmax(axis=1), -1)


@final
class NMFNCW(FactorMethod):
    """Non-negative factors of documents weighted as in a normalised cut: X ≈ V H with the least squared error (F5).

    Each document is first divided by √(x · Σ xᵢ) (T12), so that documents in the crowd do not outweigh those apart. Clusters come
    from k-means on V, which ``transform`` gives. A baseline of the papers; it knows no neighbours and no labels.

    Parameters
    ----------
    n_components : int, optional
        How many factors; 30 by default, or as many as there are documents or terms.
    init : {"nndsvd", "random"} or array (n_components, n_features)
        Where to start: from the singular vectors of the weighted documents, at random, or at given H.
    tol : float
        Stop when ten iterations lower the error by less than this share of the first error.
    max_iter : int
        The limit; :class:`~vicinal.errors.Unconverged` says when it was reached.
    random_state : int, RandomState or None

    Attributes
    ----------
    components_ : array (n_components, n_features)
        H: each row has length one, so that V carries the size.
    weighting_ : Weighting
        What divides documents, learnt from the training documents.
    unembedded_ : bool array (documents,)
        Training documents without words.
    n_iter_ : int
    """

    weighting_: Weighting

    def _factorise(self, X: Terms) -> int:
        weighting = learn_weights(Weighting("ncw", unit=False), X)
        _, H = self._solve(weigh(weighting, X), "frobenius")
        self.weighting_, self.components_ = weighting, H / np.linalg.norm(H, axis=1)[:, None]
        return len(H)

    def _place(self, X: Terms) -> FloatArray:
        from vicinal.methods._factor_kernels import descend

        along, gram = multiply(weigh(self.weighting_, X), self.components_.T), self.components_ @ self.components_.T
        V = np.zeros_like(along)

        def task(start: int, stop: int) -> None:
            descend(start, stop, along, gram, PLACE_TOL, PLACE_STEPS, V)

        over_rows(task, X.shape[0], None, BLOCK)
        return V
