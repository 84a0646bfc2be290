"""Laws of fits that go on: of the graph, of the functions on it, of the weights of terms, and of what a batch may not change."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st

from tests.laws.toys import documents, lawful
from vicinal import RLPI
from vicinal._matrix import unit_rows
from vicinal.graph import knn
from vicinal.graph._grown_neighbors import grown
from vicinal.graph._neighbors import nearest_of_checked
from vicinal.projection import Ridge
from vicinal.projection._regress import regress_of_checked
from vicinal.spectrum import solve
from vicinal.spectrum._extended import GUARDS, NEAR, extended

pytestmark = pytest.mark.filterwarnings("ignore::vicinal.errors.DisconnectedGraph")


def large(n=900, seed=0):
    """More documents than a dense eigensolver and an exact regression take."""
    return documents(n=n, n_terms=1_000, n_topics=6, seed=seed)


def canonical_angles(one, other, degrees):
    """Cosines between the spans of two sets of functions, sizes measured by degree."""
    bases = [np.linalg.qr(np.sqrt(degrees)[:, None] * functions)[0] for functions in (one, other)]
    return np.linalg.svd(bases[0].T @ bases[1], compute_uv=False)


class TestNeighbors:
    """(G17)."""

    @given(cuts=st.lists(st.integers(8, 59), min_size=1, max_size=4, unique=True), dense=st.booleans())
    @lawful
    def test_neighbours_that_were_grown_in_any_batches_are_those_of_a_search_of_all(self, cuts, dense):
        U = unit_rows(documents())
        U = U.toarray() if dense else U
        ends = [*sorted(cuts), U.shape[0]]
        near = nearest_of_checked(U[: ends[0]], 5)
        for end in ends[1:]:
            near = grown(U[:end], near)
        anew = nearest_of_checked(U, 5)
        assert np.array_equal(near.documents, anew.documents)
        assert np.array_equal(near.similarities, anew.similarities)

    def test_copies_and_ties_come_in_the_order_of_documents(self):
        rows = np.repeat(np.eye(3) + 0.5, 8, axis=0)
        U = unit_rows(sp.csr_array(rows[np.random.RandomState(0).permutation(24)]))
        near = grown(U, grown(U[:13], nearest_of_checked(U[:9], 4)))
        assert np.array_equal(near.documents, nearest_of_checked(U, 4).documents)

    def test_new_columns_change_no_neighbour(self):
        X = documents()
        first, wider = unit_rows(X[:40]), sp.csr_array((X.data, X.indices, X.indptr), shape=(60, 120))
        found = grown(unit_rows(wider), nearest_of_checked(first, 5))
        assert np.array_equal(found.documents, nearest_of_checked(unit_rows(X), 5).documents)

    def test_threads_change_no_bit(self):
        U = unit_rows(large())
        before = nearest_of_checked(U[:700], 7)
        one, four = (grown(U, before, n_jobs=n_jobs) for n_jobs in (1, 4))
        assert np.array_equal(one.documents, four.documents)
        assert np.array_equal(one.similarities, four.similarities)


class TestSpectrum:
    """(S9)."""

    @pytest.fixture
    def grown_by_a_tenth(self):
        X = large()
        before = solve(knn(X[:810], 7), 5)
        graph = knn(X, 7)
        return graph, before, extended(graph, before, 5)

    def test_functions_have_variance_one_and_are_uncorrelated(self, grown_by_a_tenth):
        graph, _, found = grown_by_a_tenth
        d = graph.degrees
        assert len(found) == 5 + GUARDS
        assert np.allclose(found.vectors.T @ (d[:, None] * found.vectors), d.sum() * np.eye(len(found)))
        assert np.allclose(d @ found.vectors, 0, atol=1e-8 * d.sum())

    def test_residuals_are_as_small_as_is_promised_and_bound_the_error_of_each_value(self, grown_by_a_tenth):
        graph, _, found = grown_by_a_tenth
        assert found.residuals[:5].max() <= NEAR
        every = solve(graph, len(graph) - 1, solver="dense").values
        for value, residual in zip(found.values, found.residuals, strict=True):
            assert np.abs(every - value).min() <= residual + 1e-9

    def test_the_span_is_that_of_the_smoothest_functions(self, grown_by_a_tenth):
        graph, _, found = grown_by_a_tenth
        exact = solve(graph, 5)
        assert canonical_angles(found.first(5).vectors, exact.vectors, graph.degrees).min() > 0.99
        assert found.values[:5].sum() <= exact.values.sum() + 1e-9  # no functions are smoother than the smoothest

    def test_functions_that_were_not_continued_are_farther(self, grown_by_a_tenth):
        graph, before, _ = grown_by_a_tenth
        silent = np.zeros((len(graph), 5))
        silent[:810] = before.vectors
        assert canonical_angles(silent, solve(graph, 5).vectors, graph.degrees).min() < 0.99

    def test_small_graphs_many_new_documents_and_more_functions_are_solved_anew(self):
        X = large()
        small, half, whole = (solve(knn(X[:n], 7), 5) for n in (300, 400, 810))
        assert extended(knn(X[:400], 7), small, 5) is None
        assert extended(knn(X, 7), half, 5) is None
        assert extended(knn(X, 7), whole, 6) is None


class TestRegression:
    """(P44)."""

    def test_from_the_weights_of_before_it_comes_to_the_same_weights_in_fewer_iterations(self):
        X = large()
        Y = solve(knn(X, 7), 4)
        cold = regress_of_checked(X, Y, Ridge(0.1), solver="cgls", tol=1e-6)
        start = regress_of_checked(X[:810], Y.vectors[:810], Ridge(0.1), solver="cgls", tol=1e-6).weights
        warm = regress_of_checked(X, Y, Ridge(0.1), solver="cgls", tol=1e-6, start=start)
        assert warm.made_by["iterations"] < cold.made_by["iterations"]
        assert np.allclose(warm.weights, cold.weights, atol=1e-4 * np.abs(cold.weights).max())

    def test_from_the_answer_there_is_nothing_to_do(self):
        X = large()
        Y = solve(knn(X, 7), 4)
        answer = regress_of_checked(X, Y, Ridge(0.1), solver="cgls", tol=1e-6).weights
        assert regress_of_checked(X, Y, Ridge(0.1), solver="cgls", tol=1e-3, start=answer).made_by["iterations"] <= 2


class TestRLPI:
    """Of a small corpus `partial_fit` is a fit, and of a large one nearly."""

    @pytest.mark.parametrize("cuts", [(60,), (30, 60), (20, 21, 45, 60)])
    @pytest.mark.parametrize("options", [{}, {"center": True}, {"solver": "cgls", "tol": 1e-9}, {"graph": "complete"}])
    def test_a_small_corpus_in_any_batches_gives_what_a_fit_gives(self, cuts, options):
        X, model, start = documents(), RLPI(4, **options), 0
        for cut in cuts:
            model.partial_fit(X[start:cut])
            start = cut
        anew = RLPI(4, **options).fit(X)
        exact = len(cuts) == 1 or options in ({}, {"center": True})
        assert (np.array_equal if exact else _nearly)(model.transform(X), anew.transform(X))
        assert np.array_equal(model.graph_.degrees, anew.graph_.degrees)

    def test_everything_in_one_call_is_a_fit_to_the_last_bit(self):
        X = large()
        assert np.array_equal(RLPI(5).partial_fit(X).transform(X), RLPI(5).fit(X).transform(X))

    def test_a_large_corpus_has_the_graph_of_a_fit_and_nearly_its_embeddings(self):
        X = large()
        model, anew = RLPI(5).partial_fit(X[:800]).partial_fit(X[800:]), RLPI(5).fit(X)
        assert (model.graph_.weights - anew.graph_.weights).nnz == 0
        assert model._stream.functions.solver == "extended"
        assert canonical_angles(model.transform(X), anew.transform(X), np.ones(len(X.indptr) - 1)).min() > 0.98

    def test_the_same_batches_give_the_same_bits_with_any_number_of_threads(self):
        X = large()
        one, two = (RLPI(5, n_jobs=n_jobs).partial_fit(X[:800]).partial_fit(X[800:]).components_ for n_jobs in (1, 3))
        assert np.array_equal(one, two)

    def test_old_documents_move_little(self):
        X = large()
        model = RLPI(5).partial_fit(X[:850])
        before = model.transform(X[:850])
        after = model.partial_fit(X[850:]).transform(X[:850])
        turned = after @ np.linalg.lstsq(after, before, rcond=None)[0]
        assert np.linalg.norm(turned - before) < 0.2 * np.linalg.norm(before)

    def test_new_terms_get_weights(self):
        rows = large().toarray()
        rows[:, 900:] = 0.0
        rows[850:870, 999] = 2.0
        X = sp.csr_array(rows)
        model = RLPI(5).partial_fit(X[:850, :900]).partial_fit(X[850:])
        assert model.n_features_in_ == 1_000
        assert np.abs(model.components_[:, 999]).max() > 0
        assert np.all(model.components_[:, 900:999] == 0)


def _nearly(one, other):
    return np.allclose(one, other, atol=1e-5 * np.abs(other).max())
