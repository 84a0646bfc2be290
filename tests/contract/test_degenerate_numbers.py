"""Numbers at the edge, each against every method: not finite, huge, tiny, negative, dependent, repeated, not converged."""

from __future__ import annotations

import tracemalloc
import warnings

import numpy as np
import pytest
import scipy.sparse as sp

from vicinal import FSSL, LPFL, LPI, LPP, LSI, OLPI, RLPI, SLPI, SparsePCA, graph, spectrum
from vicinal._matrix import unit_rows
from vicinal.errors import (
    BadData,
    BadParameter,
    ClippedWeights,
    FewerComponents,
    IndistinctComponents,
    NotConverged,
    Unconverged,
    UnembeddedDocuments,
    VicinalError,
    VicinalWarning,
    ZeroEmbeddings,
)

PENALISED = [LPP, LPI, OLPI, RLPI]


def said(action):
    """Run ``action`` and return its result with the VicinalWarnings it gave."""
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        result = action()
    return result, [each for each in seen if issubclass(each.category, VicinalWarning)]


def kinds(messages):
    return {each.category for each in messages}


# NaN, ±inf, overflow to inf in float32, subnormal, -0.0


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("dense", [False, True], ids=["sparse", "dense"])
def test_what_is_not_finite_is_refused_with_row_and_column(method, X, value, dtype, dense):
    row, column = 17, int(X[[17]].indices[1])
    X.data[X.indptr[17] + 1] = value
    X = X.astype(dtype)
    with pytest.raises(BadData, match=rf"(NaN|infinity) .*in row {row}, column {column}\b"):
        method().fit(X.toarray() if dense else X)


def test_what_is_not_finite_is_refused_when_placing(linear_method, make, X):
    model = make(linear_method).fit(X)
    X.data[0] = np.nan
    with pytest.raises(BadData, match="NaN in row 0"):
        model.transform(X)


def test_numbers_too_large_for_float32_are_refused_as_infinity(method, X):
    with np.errstate(over="ignore"):
        overflown = (X * 1e40).astype(np.float32)
    with pytest.raises(BadData, match=r"infinity .* in row 0"):
        method().fit(overflown)


@pytest.mark.parametrize("scale", [1e30, 1e-30])
def test_sums_of_float32_are_taken_in_float64(graph_method, make, X, scale):
    """Squares of these overflow or vanish in float32; the graph does not depend on the scale."""
    model, plain = make(graph_method), make(graph_method)
    plain.fit(X.astype(np.float32))
    said(lambda: model.fit((X * scale).astype(np.float32)))
    np.testing.assert_allclose(model.graph_.degrees, plain.graph_.degrees, rtol=1e-5)


@pytest.mark.parametrize("scale", [1e200, 1e-200])
@pytest.mark.parametrize("dense", [False, True], ids=["sparse", "dense"])
def test_numbers_whose_squares_are_no_numbers_give_embeddings_or_an_error_and_never_nan(method, make, X, scale, dense):
    scaled = X * scale
    try:
        with np.errstate(all="ignore"):
            embeddings, messages = said(lambda: make(method).fit_transform(scaled.toarray() if dense else scaled))
    except VicinalError:
        return
    assert np.isfinite(embeddings).all()
    assert embeddings.any() or ZeroEmbeddings in kinds(messages)


def test_subnormal_entries_change_nothing_that_matters(method, make, X):
    expected = make(method).fit_transform(X)
    dense = X.toarray()
    dense[dense == 0] = 5e-324
    np.testing.assert_allclose(make(method).fit_transform(dense), expected, atol=1e-9 * np.abs(expected).max())


def test_negative_zeros_are_zeros(method, make, X):
    dense = X.toarray()
    signed = np.where(dense == 0, -0.0, dense)
    assert np.array_equal(make(method).fit_transform(signed), make(method).fit_transform(dense))
    entries = X.tocoo()
    more = (np.append(entries.data, -0.0), (np.append(entries.row, 3), np.append(entries.col, 3)))
    assert X[3, 3] == 0
    assert np.array_equal(make(method).fit_transform(sp.csr_array(more, shape=X.shape)), make(method).fit_transform(X))


# negative cosine (dense input)


def test_negative_cosines_are_clipped_and_the_share_is_said(graph_method, make):
    X = np.random.RandomState(0).standard_normal((30, 8))
    model = make(graph_method, n_neighbors=25)
    _, messages = said(lambda: model.fit(X))
    [message] = [str(each.message) for each in messages if each.category is ClippedWeights]
    cosines = unit_rows(X) @ unit_rows(X).T
    np.fill_diagonal(cosines, -1.0)
    share = 1 - np.minimum((cosines > 0).sum(axis=1), 25).sum() / (30 * 25)
    assert f"{share:.1%}" in message
    assert model.graph_.weights.data.min() > 0
    assert model.graph_.degrees.min() > 0


def test_negative_cosines_are_clipped_in_a_complete_graph(graph_method, make):
    X = np.random.RandomState(0).standard_normal((30, 8))
    model = make(graph_method, graph="complete")
    _, messages = said(lambda: model.fit(X))
    [message] = [str(each.message) for each in messages if each.category is ClippedWeights]
    cosines = unit_rows(X) @ unit_rows(X).T
    assert f"{(cosines < 0).mean():.1%}" in message
    assert model.graph_.degrees.min() > 0
    np.testing.assert_allclose(model.graph_.matmul(np.eye(30)), np.clip(cosines, 0, 1), atol=1e-12)


# rank-deficient X, terms > documents, constant or empty columns, collinear terms


def deficient(X, kind):
    noise = np.random.RandomState(0)
    empty = sp.csr_array((X.shape[0], 3))
    made = {
        "rank": lambda: X[:, :12] @ sp.csr_array(noise.uniform(size=(12, 30))),
        "more terms than documents": lambda: sp.hstack([X, X @ sp.csr_array(noise.uniform(size=(45, 60)))]),
        "more documents than terms": lambda: X[:, np.arange(0, 45, 2)],
        "constant column": lambda: sp.hstack([X, np.ones((36, 1))]),
        "empty columns": lambda: sp.hstack([empty, X, empty]),
        "collinear terms": lambda: sp.hstack([X, 2.0 * X[:, :10], X[:, :10]]),
    }
    return sp.csr_array(made[kind]())


DEFICIENT = [
    "rank",
    "more terms than documents",
    "more documents than terms",
    "constant column",
    "empty columns",
    "collinear terms",
]


@pytest.mark.parametrize("n_components", [3, 30])
@pytest.mark.parametrize("kind", DEFICIENT)
def test_no_dimension_is_rounding_noise(linear_method, make, X, kind, n_components):
    """Law: embeddings grow with X a, not with rounding, and no component repeats the others."""
    X = deficient(X, kind)
    options = {"alpha": 0.0} if linear_method in PENALISED else {}
    model = make(linear_method, n_components=n_components, **options)
    embeddings, messages = said(lambda: model.fit_transform(X))
    assert kinds(messages) <= {FewerComponents, UnembeddedDocuments}
    size = np.linalg.norm(model.components_, axis=1) * sp.linalg.norm(X)
    assert np.all(np.linalg.norm(embeddings, axis=0) > 1e-7 * size)
    unit = embeddings / np.linalg.norm(embeddings, axis=0)
    assert np.linalg.svd(unit, compute_uv=False).min() > 1e-7


def test_words_in_no_document_weigh_nothing(linear_method, make, X):
    weights = make(linear_method).fit(deficient(X, "empty columns")).components_
    assert np.abs(weights[:, [0, 1, 2, -3, -2, -1]]).max() <= 1e-14 * np.abs(weights).max()


def test_rounding_to_float32_adds_no_dimension(linear_method, make, X):
    X = deficient(X, "rank")
    counts = [
        said(lambda dtype=dtype: make(linear_method, n_components=30).fit_transform(X.astype(dtype)))[0].shape[1] for dtype in "fd"
    ]
    rank = 12 - (linear_method in (LPI, OLPI))  # the condition of mean zero takes one component of these
    assert counts == [rank, rank]


def test_words_that_always_come_together_share_their_weight(linear_method, make, X):
    options = {"alpha": 0.0} if linear_method in PENALISED else {}
    model = make(linear_method, **options).fit(deficient(X, "collinear terms"))
    weights = model.components_
    if isinstance(model, LPFL) and model.n_terms_ < weights.shape[1]:  # words that are left out have no weight to share
        assert model.n_terms_ == model.n_terms_evidence_.chosen
        return
    if issubclass(linear_method, (SLPI, SparsePCA, FSSL)):  # but for the lasso, which keeps the one that costs least
        assert weights[:, 45:55].any()
        assert not weights[:, :10].any()
        assert not weights[:, 55:].any()
        return
    np.testing.assert_allclose(weights[:, 45:55], 2.0 * weights[:, :10], atol=1e-7 * np.abs(weights).max())
    np.testing.assert_allclose(weights[:, 55:], weights[:, :10], atol=1e-7 * np.abs(weights).max())


# alpha = 0, alpha < 0, alpha = 1e300


@pytest.mark.parametrize("kind", DEFICIENT)
@pytest.mark.parametrize("solver", ["cholesky", "cgls"])
def test_without_a_penalty_the_weights_are_the_smallest_that_fit_best(make, X, kind, solver):
    X = deficient(X, kind)
    model = make(RLPI, alpha=0.0, solver=solver, tol=1e-10)
    said(lambda: model.fit(X))
    W = graph.knn(X, 6)
    responses, _ = said(lambda: spectrum.solve(graph.repair(W, X), model.n_components).vectors)
    expected = np.linalg.pinv(X.toarray(), rcond=1e-10) @ responses
    np.testing.assert_allclose(model.components_.T, expected, atol=1e-8 * np.abs(expected).max())


@pytest.mark.parametrize("alpha", [0.0, 0.1])
def test_iterating_past_convergence_changes_nothing(make, X, alpha):
    X = deficient(X, "more terms than documents")
    exact = make(RLPI, alpha=alpha, solver="cholesky").fit(X).components_
    iterated = make(RLPI, alpha=alpha, solver="cgls", tol=0.0, max_iter=200).fit(X).components_
    np.testing.assert_allclose(iterated, exact, atol=1e-6 * np.abs(exact).max())


@pytest.mark.parametrize("alpha", [-1.0, -1e-300, np.nan, np.inf, "much", None])
@pytest.mark.parametrize("method", PENALISED, indirect=True)
def test_a_penalty_that_is_no_number_from_zero_up_is_refused(method, make, X, alpha):
    with pytest.raises(BadParameter, match="alpha must be a finite number of at least 0, got"):
        make(method, alpha=alpha).fit(X)


@pytest.mark.parametrize("method", PENALISED, indirect=True)
def test_an_overwhelming_penalty_gives_a_zero_map_that_is_said(method, make, X):
    model = make(method, alpha=1e300)
    with np.errstate(all="ignore"):
        embeddings, messages = said(lambda: model.fit_transform(X))
    assert embeddings.shape == (36, 3)
    assert np.isfinite(embeddings).all()
    if method is OLPI:  # its directions have length one whatever the penalty
        np.testing.assert_allclose(model.components_ @ model.components_.T, np.eye(3), atol=1e-8)
        return
    assert np.abs(embeddings).max() <= 1e-6
    assert kinds(messages) == {ZeroEmbeddings}
    assert "1e+300" in str(messages[0].message)


# repeated eigenvalues, gap < 1e-10 at the cut


def ring(n):
    """Documents on a circle, each sharing one word with the one before and one with the one after: eigenvalues come in pairs."""
    return sp.csr_array(np.eye(n) + np.roll(np.eye(n), 1, axis=1))


def eigen_solver(method, solver):
    """The option that says how a method finds eigenvectors."""
    return {} if method is LSI else {"eigen_solver" if issubclass(method, (RLPI, FSSL, LPFL)) else "solver": solver}


@pytest.mark.parametrize("solver", ["dense", "lanczos"])
def test_repeated_eigenvalues_at_the_cut_are_said_with_the_dimensions(spectral_method, make, solver):
    known = eigen_solver(spectral_method, solver)
    cut = 2 if spectral_method is LSI else 3  # LSI has the constant for its first dimension, and the pairs after it
    model = make(spectral_method, n_components=cut, n_neighbors=2, **known)
    _, messages = said(lambda: model.fit(ring(31)))
    heard = [str(each.message) for each in messages if each.category is IndistinctComponents]
    assert len(heard) == 1
    assert f"{cut} and {cut + 1} cannot be told apart" in heard[0]


@pytest.mark.parametrize("n_components", [2, 4])
def test_repeated_eigenvalues_get_the_same_basis_from_every_start_and_solver(spectral_method, make, n_components):
    """On a ring no document stands out, so rounding must not choose the one that fixes the basis."""
    runs = []
    for solver in ("dense", "lanczos"):
        for seed in (0, 1, 2):
            known = eigen_solver(spectral_method, solver)
            whole_pairs = n_components + (spectral_method is LSI)  # LSI has the constant for its first dimension
            model = make(spectral_method, n_components=whole_pairs, n_neighbors=2, random_state=seed, **known)
            runs.append(said(lambda model=model: model.fit_transform(ring(31)))[0])
    for other in runs[1:]:
        np.testing.assert_allclose(other, runs[0], atol=1e-6 * np.abs(runs[0]).max())


# solver not converged


def test_a_limit_on_iterations_gives_the_right_answer_or_says_so(method, make):
    """One iteration is never enough here: the result is that without a limit, or NotConverged, or Unconverged is said."""
    if method.__name__ in ("FSSLAuto", "LPFLAuto"):
        pytest.skip("how words are chosen says nothing of limits that FSSL and LPFL do not say here, and takes half a minute")
    X = sp.random_array((600, 700), density=0.02, rng=np.random.default_rng(0), format="csr")
    known = {"solver": "cgls", "tol": 1e-9} if issubclass(method, RLPI) else {}
    known = known if known or issubclass(method, (LSI, LPFL)) else eigen_solver(method, "lanczos")
    model = make(method, max_iter=1, **known)
    try:
        embeddings, messages = said(lambda: model.fit_transform(X))
    except NotConverged as error:
        assert "residual" in str(error) or "iterations" in str(error)  # noqa: PT017
        return
    if Unconverged in kinds(messages):
        return
    if isinstance(model, FSSL):  # many penalties leave one number of words, and each of them is solved for
        assert model.projection_.made_by["error"] <= model.tol
        return
    expected, _ = said(lambda: make(method, **known).fit_transform(X))
    np.testing.assert_allclose(embeddings, expected, atol=1e-6 * np.abs(expected).max())


# heavy tails


def test_a_document_of_very_many_words_costs_no_more_than_its_words(method, make, X):
    """Memory stays below documents x terms: 36 x 400,000 numbers would take 115 MB."""
    n_terms = 400_000
    wide = sp.csr_array((X.data, X.indices, X.indptr), shape=(36, n_terms))
    long = sp.csr_array((np.full(n_terms // 2, 0.001), (np.zeros(n_terms // 2, int), np.arange(n_terms // 2))), shape=(1, n_terms))
    X = sp.csr_array(sp.vstack([wide, long]))
    make(method).fit(wide[:, :100])  # compile outside the measurement
    tracemalloc.start()
    try:
        embeddings, _ = said(lambda: make(method).fit_transform(X))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert np.isfinite(embeddings).all()
    assert peak < 8 * 37 * n_terms * 0.75
