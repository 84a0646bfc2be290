"""PLSI and NMFNCW: the likelihood of EM, factors that are probabilities or have length one, places of single documents."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
from scipy.optimize import nnls
from sklearn.base import clone
from sklearn.decomposition import NMF

from tests.laws.toys import documents, topics
from vicinal import NMFNCW, PLSI, Weighting, cluster
from vicinal.errors import BadData, BadParameter, FewerComponents, NoVariation, Unconverged, UnembeddedDocuments
from vicinal.methods._factorisation import from_singular_vectors
from vicinal.metrics import clustering_accuracy

METHODS = (PLSI, NMFNCW)


def counts(n=60, seed=0):
    """Counts of words in documents of four topics."""
    return sp.csr_array(np.ceil(documents(n, seed=seed).toarray()))


@pytest.fixture(name="X")
def corpus():
    return counts()


# PLSI is EM


def likelihood(X, shares, words):
    """Σ n(d, w) log P(w|d)."""
    rows, columns = X.nonzero()
    return float(np.sum(X[rows, columns] * np.log((shares @ words)[rows, columns])))


def step_of_em(X, shares, words):
    """One step of EM, as defined: P(z|d, w) for every document and word, then counts of them."""
    n = X.toarray()
    joint = shares[:, :, None] * words[None, :, :]
    total = joint.sum(axis=1, keepdims=True)
    posterior = np.divide(joint, total, out=np.zeros_like(joint), where=total > 0)  # a word of no class is in no document
    expected = n[:, None, :] * posterior
    return expected.sum(axis=2) / n.sum(axis=1)[:, None], expected.sum(axis=0) / expected.sum(axis=(0, 2))[:, None]


def run_em(X, words, steps):
    shares = np.full((X.shape[0], len(words)), 1.0 / len(words))
    for _ in range(steps):
        shares, words = step_of_em(X, shares, words)
    return shares, words


def run_alternating_em(X, words, steps):
    """EM for P(d, w) = Σ_z P(z) P(d|z) P(w|z) that sees to documents and words in turn, P(z|d, w) computed anew for each."""
    shares = np.full((X.shape[0], len(words)), 1.0 / len(words))  # P(z) P(d|z), up to a constant of the document
    for _ in range(steps):
        shares, _ = step_of_em(X, shares, words)
        mass = shares * np.asarray(X.sum(axis=1)).reshape(-1, 1)
        old, (after, words) = mass.sum(axis=0), step_of_em(X, shares, words)
        shares = shares * (after * np.asarray(X.sum(axis=1)).reshape(-1, 1)).sum(axis=0) / old  # P(d|z) stays, P(z) is new
        shares /= shares.sum(axis=1, keepdims=True)
    return shares, words


def starting_words(n_classes, n_terms, seed):
    words = np.random.default_rng(seed).uniform(0.5, 1.5, (n_classes, n_terms))
    return words / words.sum(axis=1, keepdims=True)


@pytest.mark.parametrize("steps", [1, 2, 10, 100])
def test_updates_of_plsi_are_those_of_em_step_by_step(X, steps):
    start = starting_words(3, 90, 0)
    model = PLSI(3, init=start, tol=0.0, max_iter=steps).fit(X)
    np.testing.assert_allclose(model.components_, run_alternating_em(X, start, steps)[1], rtol=1e-6, atol=1e-12)
    assert np.abs(model.components_ - run_em(X, start, steps)[1]).max() > 1e-6  # both at once is another path


def drawn_from_the_model(seed):
    """Long documents of three classes of words: what there is to be found is found from anywhere near."""
    rng = np.random.default_rng(seed)
    shares, words = rng.dirichlet([0.3] * 3, 30), rng.dirichlet([0.3] * 15, 3)
    return sp.csr_array(rng.poisson(2000 * shares @ words).astype(float)), words


@pytest.mark.parametrize("seed", range(4))
def test_plsi_reaches_the_likelihood_of_em_from_the_same_start(seed):
    X, truth = drawn_from_the_model(seed)
    start = (starting_words(3, 15, seed) + truth) / 2
    shares, words = run_em(X, start, 3000)
    model = PLSI(3, init=start, tol=0.0, max_iter=3000).fit(X)
    found, expected = likelihood(X, model.transform(X), model.components_), likelihood(X, shares, words)
    assert abs(found - expected) <= 1e-6 * abs(expected)
    np.testing.assert_allclose(model.components_, words, atol=5e-3)
    np.testing.assert_allclose(model.transform(X), shares, atol=5e-3)
    assert expected - likelihood(X, *run_em(X, start, 3)) > 1e-4 * abs(expected)  # three steps would not do


def test_the_fixed_point_of_plsi_is_one_of_em(X):
    model = PLSI(3, tol=0.0, max_iter=3000).fit(X)
    shares, words = step_of_em(X, model.transform(X), model.components_)
    np.testing.assert_allclose(words, model.components_, atol=1e-5)
    np.testing.assert_allclose(shares, model.transform(X), atol=1e-5)


def test_a_point_that_is_not_fixed_is_noticed(X):
    model = PLSI(3, tol=0.0, max_iter=5).fit(X)
    _, words = step_of_em(X, model.transform(X), model.components_)
    assert np.abs(words - model.components_).max() > 1e-4


def test_a_document_is_embedded_by_em_with_the_words_held(X):
    model = PLSI(3).fit(X)
    shares = np.full((60, 3), 1 / 3)
    for _ in range(5_000):
        shares, _ = step_of_em(X, shares, model.components_)
    assert likelihood(X, model.transform(X), model.components_) >= likelihood(X, shares, model.components_) - 1e-3
    np.testing.assert_allclose(model.transform(X), shares, atol=1e-3)


def test_plsi_lowers_the_divergence_as_scikit_learn_does(X):
    model = PLSI(3, init="random", random_state=3, tol=1e-6).fit(X)
    peer = NMF(3, init="random", solver="mu", beta_loss="kullback-leibler", tol=1e-6, max_iter=1000, random_state=3)
    V = peer.fit_transform(X * 2.0**18)  # the size at which scikit-learn's floor of 1e-7 plays no part
    sums = peer.components_.sum(axis=1)
    expected = likelihood(X, (V * sums) / (V @ sums)[:, None], peer.components_ / sums[:, None])
    assert abs(likelihood(X, model.transform(X), model.components_) - expected) <= 1e-3 * abs(expected)


# what PLSI learns are probabilities


def test_words_shares_and_priors_add_up_to_one(X):
    model = PLSI(4).fit(X)
    np.testing.assert_allclose(model.components_.sum(axis=1), 1.0, rtol=1e-12)
    np.testing.assert_allclose(model.transform(X).sum(axis=1), 1.0, rtol=1e-12)
    np.testing.assert_allclose(model.priors_.sum(), 1.0, rtol=1e-12)
    assert min(model.components_.min(), model.transform(X).min(), model.priors_.min()) >= 0


def test_priors_are_the_shares_of_all_words(X):
    model = PLSI(3, tol=0.0, max_iter=2000).fit(X)
    lengths = np.asarray(X.sum(axis=1)).ravel()
    np.testing.assert_allclose(model.priors_, lengths @ model.transform(X) / lengths.sum(), atol=1e-4)


def test_clusters_are_the_most_probable_classes(X):
    model = PLSI(4).fit(X)
    assert np.array_equal(model.labels_, model.transform(X).argmax(axis=1))
    assert np.array_equal(model.predict(X), model.labels_)
    assert clustering_accuracy(topics(), model.labels_) >= 0.9


def test_an_empty_document_is_of_no_class(X):
    with_empty = sp.csr_array(sp.vstack([sp.csr_array((1, 90)), X]))
    with pytest.warns(UnembeddedDocuments, match=r"1 of 61 .* document 0\."):
        model = PLSI(4).fit(with_empty)
    assert model.labels_[0] == -1
    assert np.array_equal(model.labels_[1:], PLSI(4).fit(X).labels_)
    assert not model.transform(with_empty)[0].any()


def test_the_unit_of_counts_changes_nothing(X):
    plain = PLSI(3).fit(X)
    for scale in (2.0**-60, 2.0**60):
        model = PLSI(3).fit(X * scale)
        assert np.array_equal(model.components_, plain.components_)
        assert np.array_equal(model.transform(X * scale), plain.transform(X))


# NMFNCW


def test_ncw_factors_are_those_of_documents_scaled_for_the_cut(X):
    total = np.asarray(X.sum(axis=0)).ravel()
    scaled = sp.csr_array(sp.diags_array(1 / np.sqrt(X @ total)) @ X)
    start = np.random.default_rng(0).random((3, 90))
    model = NMFNCW(3, init=start, tol=1e-7).fit(X)
    V = np.full((60, 3), scaled.sum() / (60 * start.sum()))
    peer = NMF(3, init="custom", solver="mu", tol=1e-7, max_iter=1000)
    peer.fit_transform(scaled, W=V, H=start.copy())
    expected = peer.components_ / np.linalg.norm(peer.components_, axis=1)[:, None]
    np.testing.assert_allclose(model.components_, expected, atol=1e-9)
    assert np.abs(NMF(3, init="custom", solver="mu").fit(X, W=V, H=start.copy()).components_ - peer.components_).max() > 1e-3


def test_ncw_places_a_document_at_its_nearest_sum_of_factors(X):
    model = NMFNCW(4).fit(X)
    rows = Weighting("ncw", unit=False).fit(X).transform(X).toarray()
    expected = np.array([nnls(model.components_.T, row)[0] for row in rows])
    np.testing.assert_allclose(model.transform(X), expected, atol=1e-5)


def test_ncw_factors_have_length_one_and_places_are_not_negative(X):
    model = NMFNCW(4).fit(X)
    np.testing.assert_allclose(np.linalg.norm(model.components_, axis=1), 1.0, rtol=1e-12)
    assert min(model.components_.min(), model.transform(X).min()) >= 0
    assert model.weighting_.scheme == "ncw"


def test_clusters_of_ncw_places_are_the_topics(X):
    groups = cluster(NMFNCW(4).fit_transform(X), 4, normalize=False).labels
    assert clustering_accuracy(topics(), groups) >= 0.95


# both


@pytest.mark.parametrize("method", METHODS)
def test_a_document_of_words_that_were_not_learnt_is_embedded_at_zero(method, X):
    wide = sp.csr_array(sp.hstack([X, sp.csr_array((60, 2))]))
    model = method(3).fit(wide)
    strange = sp.csr_array(([1.0, 2.0], ([0, 0], [90, 91])), shape=(1, 92))
    assert not model.transform(strange).any()
    mixed = sp.csr_array(wide[[5]] + strange)
    if method is PLSI:
        assert np.array_equal(model.transform(mixed), model.transform(wide[[5]]))
        assert model.predict(strange).tolist() == [-1]


@pytest.mark.parametrize("method", METHODS)
def test_a_document_is_embedded_by_itself_to_the_last_bit(method, X):
    model = method(4).fit(X)
    batch = model.transform(X)
    assert np.array_equal(np.vstack([model.transform(X[[row]]) for row in range(60)]), batch)
    assert np.array_equal(model.fit_transform(X), batch)


def test_scikit_learn_places_a_document_by_its_batch(X):
    """Why we do not leave it to NMF.transform."""
    peer = NMF(4, init="nndsvda", solver="mu", beta_loss="kullback-leibler", max_iter=500).fit(X)
    assert not np.array_equal(peer.transform(X)[:1], peer.transform(X[[0]]))


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("verb", ["fit", "transform"])
@pytest.mark.parametrize("form", [sp.csr_array, np.asarray])
def test_a_negative_count_is_refused_with_its_place(method, X, verb, form):
    bad = X.toarray()
    bad[3, 4] = -2.0
    with pytest.raises(BadData, match=rf"Negative values in data passed to {method.__name__}: -2 in row 3, column 4"):
        getattr(method(3).fit(X), verb)(form(bad))


@pytest.mark.parametrize("method", METHODS)
def test_a_random_start_depends_on_the_seed_and_on_nothing_else(method, X):
    one, same, other = (method(4, init="random", random_state=seed).fit(X).components_ for seed in (0, 0, 1))
    assert np.array_equal(one, same)
    assert not np.array_equal(one, other)


@pytest.mark.parametrize("method", METHODS)
def test_the_start_from_singular_vectors_needs_no_chance(method, X):
    one, other = (method(4, random_state=seed).fit(X).components_ for seed in (0, 1))
    assert np.array_equal(one, other)


@pytest.mark.parametrize("method", METHODS)
def test_a_given_start_stays_as_it_was_and_survives_cloning(method, X):
    start = np.random.default_rng(0).random((3, 90))
    before = start.copy()
    model = clone(method(3, init=start)).fit(X)
    assert np.array_equal(start, before)
    assert np.array_equal(model.components_, method(3, init=start).fit(X).components_)


NO_STARTS = {
    "shape": np.ones((3, 89)),
    "negative": np.full((3, 90), -1.0),
    "nan": np.full((3, 90), np.nan),
    "dead": np.zeros((3, 90)),
}


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("start", NO_STARTS.values(), ids=NO_STARTS.keys())
def test_a_start_that_cannot_be_is_refused(method, X, start):
    with pytest.raises(BadParameter, match=r"init must be .* array of shape \(3, 90\)"):
        method(3, init=start).fit(X)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("options", [{"init": "magic"}, {"tol": -1.0}, {"max_iter": 0}, {"n_components": 0}])
def test_options_that_do_not_exist_are_refused_by_name(method, X, options):
    with pytest.raises(BadParameter, match=next(iter(options))):
        method(**options).fit(X)


@pytest.mark.parametrize("method", METHODS)
def test_a_limit_on_iterations_is_said_where_fit_was_called(method, X):
    with pytest.warns(Unconverged, match=rf"{method.__name__} stopped after 2 iterations .*tol=1\.0e-04") as seen:
        model = method(3, max_iter=2).fit(X)
    assert seen[0].filename == __file__
    assert model.n_iter_ == 2
    assert method(3, max_iter=2, tol=0.0).fit(X).n_iter_ == 2  # without a tolerance the number of steps is what was asked for


@pytest.mark.parametrize("method", METHODS)
def test_documents_without_words_have_no_factors(method):
    with pytest.raises(NoVariation, match="4 documents"):
        method().fit(np.zeros((4, 6)))


@pytest.mark.parametrize("method", METHODS)
def test_no_more_factors_than_independent_directions_are_started_from(method):
    X = np.vander(np.linspace(0.1, 1.0, 6), 3) @ np.random.default_rng(0).random((3, 20))
    with pytest.warns(FewerComponents, match="asked for 5 components but there are 3"):
        assert method(5, tol=1e-2).fit(X).components_.shape == (3, 20)


# the start


def test_the_start_is_positive_and_near_the_documents(X):
    V, H = from_singular_vectors(X, 4, 0)
    assert V.shape == (60, 4)
    assert min(V.min(), H.min()) > 0
    start = np.linalg.norm(X - V @ H)
    by_chance = np.random.default_rng(0)
    scale = np.sqrt(X.mean() / 4)
    assert start < np.linalg.norm(X - scale**2 * by_chance.random((60, 4)) @ by_chance.random((4, 90)))
