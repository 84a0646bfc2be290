"""PLSI and NMFNCW: non-negative matrix factorisations X ≈ V H, by scikit-learn's multiplicative updates."""

from __future__ import annotations

import warnings
from abc import abstractmethod
from typing import final

import numpy as np
from sklearn.decomposition import NMF
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import Tags

from vicinal._matrix import csr, nonzero_rows, with_entries
from vicinal._threads import over_rows, single_threaded_libraries
from vicinal._typing import ArrayLike, FloatArray, IntArray, LabelsLike, RandomState, SparseMatrix, Terms
from vicinal._validate import check_choice, check_count, check_number, check_seed
from vicinal._warn import warn
from vicinal.errors import BadParameter, NoVariation, Unconverged
from vicinal.methods._base import EmbeddingMethod
from vicinal.methods._lsi import LSI
from vicinal.methods._shared_docs import with_shared_docs
from vicinal.projection._products import multiply
from vicinal.spectrum._basis import canonical_rotation
from vicinal.terms import Weighting
from vicinal.terms._weight import learn_weights, refuse_negative, weigh

STARTS = ("nndsvd", "random")
LARGE = 20  # counts are brought to this power of two: scikit-learn lifts products below 1e-7, which then play no part
EMBED_TOL, EMBED_STEPS = 1e-6, 1000  # of the iteration that embeds one document
BLOCK = 64  # documents per task
FLOOR = 0.1  # share of the size of an average entry that replaces zeros, which multiplicative updates never leave
TIED = 1 + 1e-9  # how much heavier the negative side must be to be taken


class FactorMethod(EmbeddingMethod):
    """A method that writes documents as non-negative sums of a few non-negative factors: X ≈ V H (F1)."""

    components_: FloatArray

    def __init__(
        self,
        n_components: int | None = None,
        *,
        init: str | ArrayLike = "nndsvd",
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
    def _factorise(self, X: SparseMatrix) -> int:
        """Set ``components_`` from validated documents; returns the number of components found."""

    def _learn_from(self, X: Terms, y: LabelsLike | None) -> None:
        X = csr(X)
        if not X.nnz:
            raise NoVariation(
                f"all {X.shape[0]} documents (n_samples = {X.shape[0]}) are empty, so there is nothing to factorise. "
                f"Add documents with terms."
            )
        found = self._factorise(X)
        self._say_fewer(found, f"{int(nonzero_rows(X).sum())} documents with terms x {X.shape[1]} terms give no more")
        self._say_empty(X)

    def _check_parameters(self) -> None:
        self._check_n_components()
        if isinstance(self.init, str):
            check_choice("init", self.init, STARTS)
        check_number("tol", self.tol)
        check_count("max_iter", self.max_iter)
        check_seed(self.random_state)

    def _check_documents(self, X: ArrayLike, verb: str) -> SparseMatrix:
        checked = csr(super()._check_documents(X, verb)).astype(np.float64)
        refuse_negative(checked, type(self).__name__)
        return checked

    def _solve(self, X: Terms, loss: str) -> tuple[FloatArray, FloatArray]:
        """V and H by scikit-learn's multiplicative updates, on one thread; factors that became zero are left out."""
        X = X[nonzero_rows(X)]  # an empty document has no effect, and must not change where the others start
        with single_threaded_libraries(), warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            V, model = self._minimise(X, loss, self._wanted(min(X.shape)))
        self.n_iter_ = int(model.n_iter_)
        if self.n_iter_ == self.max_iter and self.tol > 0:
            self._say_unconverged()
        alive = V.any(axis=0) & model.components_.any(axis=1)
        return V[:, alive], model.components_[alive]

    def _minimise(self, X: Terms, loss: str, k: int) -> tuple[FloatArray, NMF]:
        """V, and scikit-learn's fitted model, from random numbers or from V and H of the start."""
        model = NMF(k, solver="mu", beta_loss=loss, tol=self.tol, max_iter=self.max_iter, random_state=self.random_state)
        if isinstance(self.init, str) and self.init == "random":
            return model.set_params(init="random").fit_transform(X), model
        V, H = from_singular_vectors(X, k, self.random_state) if isinstance(self.init, str) else self._given(X, k)
        return model.set_params(init="custom", n_components=len(H)).fit_transform(X, W=V, H=H), model

    def _given(self, X: Terms, k: int) -> tuple[FloatArray, FloatArray]:
        """H as given, and V constant such that V H has the sum of X."""
        H = np.array(self.init, dtype=np.float64)
        if H.shape != (k, X.shape[1]) or not np.isfinite(H).all() or H.min() < 0 or not H.any(axis=1).all():
            raise BadParameter(
                f"init must be one of {', '.join(map(repr, STARTS))} or an array of shape ({k}, {X.shape[1]}), finite, "
                f"not negative and with no row of zeros, got an array of shape {H.shape}. "
                f"Use one of them."
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

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.positive_only = True
        return tags


@final
@with_shared_docs
class PLSI(FactorMethod):
    """Probabilistic latent semantic indexing: documents as mixtures of latent classes, classes as mixtures of terms [1]_.

    P(w|d) = Σ_z P(z|d) P(w|z) with the largest likelihood of the counts (F2): the factorisation of least
    Kullback-Leibler divergence with normalised factors (F3). The method uses neither neighbours nor labels. X holds
    counts, none below zero.

    Parameters
    ----------
    {n_components_given}
    {factor_init}
    random_state : int, RandomState or None, default=0
        Random seed of ``init="random"`` and of the singular vectors. With an int, every run gives the same bits.

    Attributes
    ----------
    components_ : ndarray of shape (n_components, n_features)
        P(w|z): each row sums to one.
    priors_ : ndarray of shape (n_components,)
        P(z), which sum to one.
    labels_ : ndarray of int, shape (n_documents,)
        The most probable latent class of each training document; -1 for one without terms.
    {n_iter_}
    {without_terms}
    {fitted_features}

    References
    ----------
    .. [1] T. Hofmann. Probabilistic latent semantic indexing. SIGIR 1999, pages 50-57, section 3.

    Examples
    --------
    >>> import numpy as np
    >>> from vicinal import PLSI
    >>> counts = np.array([[4, 2, 0, 0], [2, 4, 0, 1], [3, 3, 1, 0], [0, 0, 4, 2], [0, 1, 2, 4]])
    >>> model = PLSI(n_components=2).fit(counts)
    >>> model.labels_.tolist()
    [0, 0, 0, 1, 1]
    >>> model.transform(counts).sum(axis=1).round(6).tolist()
    [1.0, 1.0, 1.0, 1.0, 1.0]
    """

    priors_: FloatArray
    labels_: IntArray

    def predict(self, X: ArrayLike) -> IntArray:
        """Return the most probable latent class of each document.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_documents, n_terms)
            Counts of the same terms as in ``fit``.

        Returns
        -------
        ndarray of int, shape (n_documents,)
            The most probable component, the first of equals; -1 for a document without terms that were learnt.
        """
        return _largest(self.transform(X))

    def _factorise(self, X: SparseMatrix) -> int:
        counts = with_entries(X, np.ldexp(X.data, LARGE - int(np.frexp(X.data.max())[1])))
        V, H = self._solve(counts, "kullback-leibler")
        sums = H.sum(axis=1)
        weights = V.sum(axis=0) * sums
        self.components_, self.priors_ = H / sums[:, None], weights / weights.sum()
        self.labels_ = _largest(self._embed(X))
        return len(sums)

    def _embed(self, X: Terms) -> FloatArray:
        from vicinal.methods._factorisation_loops import expect_and_maximize

        X = csr(X)
        P, shares = np.ascontiguousarray(self.components_.T), np.zeros((X.shape[0], len(self.components_)))

        def task(start: int, stop: int) -> None:
            """Embed some documents with the probabilities of terms held fixed."""
            expect_and_maximize(start, stop, X.indptr, X.indices, X.data, P, EMBED_TOL, EMBED_STEPS, shares)

        over_rows(task, X.shape[0], None, BLOCK)
        return shares


def _largest(shares: FloatArray) -> IntArray:
    return np.where(shares.any(axis=1), shares.argmax(axis=1), -1)


@final
@with_shared_docs
class NMFNCW(FactorMethod):
    """Non-negative matrix factorisation with normalised-cut weights: X ≈ V H of least squared error [1]_.

    Each document is first divided by √(x · Σ xᵢ) (T12), which weights the squared error (F5) as a normalised cut
    does. Clusters are found by k-means on V, the embeddings that ``transform`` returns. The method uses neither
    neighbours nor labels. X holds counts or weights, none below zero.

    Parameters
    ----------
    {n_components_given}
    {factor_init}
    random_state : int, RandomState or None, default=0
        Random seed of ``init="random"`` and of the singular vectors. With an int, every run gives the same bits.

    Attributes
    ----------
    components_ : ndarray of shape (n_components, n_features)
        H: each row has length one.
    weighting_ : Weighting
        The weighting "ncw", fitted to the training documents.
    {n_iter_}
    {without_terms}
    {fitted_features}

    References
    ----------
    .. [1] W. Xu, X. Liu and Y. Gong. Document clustering based on non-negative matrix factorization. SIGIR 2003,
       pages 267-273, section 3.

    Examples
    --------
    >>> import numpy as np
    >>> from vicinal import NMFNCW
    >>> counts = np.array([[4, 2, 0, 0], [2, 4, 0, 1], [3, 3, 1, 0], [0, 0, 4, 2], [0, 1, 2, 4]])
    >>> V = NMFNCW(n_components=2).fit_transform(counts)
    >>> V.argmax(axis=1).tolist()
    [0, 0, 0, 1, 1]
    """

    weighting_: Weighting

    def _factorise(self, X: SparseMatrix) -> int:
        weighting = learn_weights(Weighting("ncw", unit=False), X)
        _, H = self._solve(weigh(weighting, X), "frobenius")
        self.weighting_, self.components_ = weighting, H / np.linalg.norm(H, axis=1)[:, None]
        return len(H)

    def _embed(self, X: Terms) -> FloatArray:
        from vicinal.methods._factorisation_loops import descend

        X = csr(X)
        along, gram = multiply(weigh(self.weighting_, X), self.components_.T), self.components_ @ self.components_.T
        V = np.zeros_like(along)

        def task(start: int, stop: int) -> None:
            """Embed some documents with the factors of terms held fixed."""
            descend(start, stop, along, gram, EMBED_TOL, EMBED_STEPS, V)

        over_rows(task, X.shape[0], None, BLOCK)
        return V


def from_singular_vectors(X: Terms, n_factors: int, random_state: RandomState) -> tuple[FloatArray, FloatArray]:
    """V and H from the heavier side, positive or negative, of each pair of singular vectors (F7); no more than X has.

    Only the iteration that finds the singular vectors of many documents uses ``random_state``.
    """
    singular, right = LSI(random_state=random_state)._decompose(X, n_factors)
    known = singular > singular[0] * np.finfo(np.float64).eps * max(X.shape)
    singular, right = singular[known], right[:, known]
    left = np.asarray(X @ right)
    turn = canonical_rotation(singular / singular[0], left)
    left, right = left @ turn / singular, right @ turn
    sides = [_heavier_side(left[:, j], right[:, j], singular[j]) for j in range(len(singular))]
    floor = FLOOR * np.sqrt(X.mean() / len(sides))
    V, H = np.column_stack([v for v, _ in sides]), np.vstack([h for _, h in sides])
    return np.maximum(V, floor), np.maximum(H, floor)


def _heavier_side(u: FloatArray, v: FloatArray, singular: float) -> tuple[FloatArray, FloatArray]:
    """u₊ and v₊, or u₋ and v₋, whichever product of lengths is larger, scaled to that share of the singular value."""
    above, below = (np.maximum(u, 0.0), np.maximum(v, 0.0)), (np.maximum(-u, 0.0), np.maximum(-v, 0.0))
    lengths = [np.linalg.norm(a) * np.linalg.norm(b) for a, b in (above, below)]
    here, there = below if lengths[1] > TIED * lengths[0] else above
    size = np.sqrt(singular * max(lengths))
    return size * here / (np.linalg.norm(here) or 1.0), size * there / (np.linalg.norm(there) or 1.0)
