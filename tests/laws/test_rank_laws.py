"""Rank: words that repeat each other give fewer dimensions, never dimensions made of rounding."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
from scipy.linalg import eigh

from tests.laws.toys import documents, wide
from vicinal import LPI, LPP, LSI, OLPI, RLPI
from vicinal.errors import FewerComponents
from vicinal.graph import knn

LINEAR = (LSI, LPP, LPI, OLPI, RLPI)


def low_rank(n, n_terms, rank=5, seed=0):
    rng = np.random.default_rng(seed)
    return rng.random((n, rank)) @ rng.random((rank, n_terms))


def collinear():
    """Every word twice, one of them a multiple of the other, and three words that are never used."""
    X = documents(n=40, n_terms=30, n_topics=2)
    return sp.csr_array(sp.hstack([X, 3.0 * X, sp.csr_array((40, 3))]))


def few_distinct():
    """Eight different documents, each five times."""
    X = documents(n=8, n_terms=60, n_topics=1)
    return sp.csr_array(sp.vstack([X] * 5))


CORPORA = {
    "low rank, more words": lambda: low_rank(30, 50),
    "low rank, more documents": lambda: low_rank(50, 30),
    "more words than documents": wide,
    "collinear words": collinear,
}


@pytest.fixture(name="X", params=CORPORA)
def corpus(request):
    return CORPORA[request.param]()


def independence(embeddings):
    """Smallest singular value of the columns scaled to length one: about 1 for places that tell something, 0 for noise."""
    return np.linalg.svd(embeddings / np.linalg.norm(embeddings, axis=0), compute_uv=False).min()


def assert_no_noise(X, embeddings):
    lengths = np.linalg.norm(embeddings, axis=0)
    assert 0 < embeddings.shape[1] <= np.linalg.matrix_rank(X.toarray() if sp.issparse(X) else X)
    assert lengths.min() > 1e-6 * lengths.max()
    assert independence(embeddings) > 1e-7


@pytest.mark.parametrize("method", LINEAR)
@pytest.mark.filterwarnings(
    "ignore::vicinal.errors.VicinalWarning"
)  # fewer dimensions, disconnected: said, and not the matter here
def test_no_coordinate_is_rounding_noise_and_none_repeats_the_others(X, method):
    assert_no_noise(X, method(25).fit_transform(X))


@pytest.mark.parametrize("method", LINEAR)
@pytest.mark.filterwarnings("ignore::vicinal.errors.VicinalWarning")
def test_copies_of_a_few_documents_give_no_coordinate_of_rounding_noise(method):
    X = few_distinct()
    assert_no_noise(X, method(25).fit_transform(X))


@pytest.mark.parametrize(("method", "count"), [(LPI, 4), (OLPI, 4), (LSI, 5)])
@pytest.mark.parametrize("shape", [(30, 50), (50, 30)])
def test_as_many_components_come_out_as_the_rank_has_less_the_one_of_the_mean(method, count, shape):
    with pytest.warns(FewerComponents):
        assert method(9).fit(low_rank(*shape)).components_.shape[0] == count


def test_the_smallest_eigenvectors_of_the_words_themselves_are_noise():
    """The null space of X makes the Laplacian form small and places nobody: what comes of skipping the row space."""
    X = wide().toarray()
    graph = knn(X, 7)
    degrees = X.T @ (graph.degrees[:, None] * X)
    laplacian = degrees - X.T @ graph.matmul(X)
    A = eigh(laplacian, degrees + 1e-10 * np.eye(120))[1][:, :4]
    embeddings = X @ A
    assert np.linalg.norm(embeddings / np.linalg.norm(A, axis=0), axis=0).max() < 1e-5
    honest = LPI(4).fit(X)
    assert np.linalg.norm(honest.transform(X) / np.linalg.norm(honest.components_, axis=1), axis=0).min() > 0.1
