"""Laws of variants that the papers name beside their own method: each is what it varies where it must be, and differs elsewhere."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest
import scipy.sparse as sp
from scipy.linalg import eigh

from papers.bounds import n_terms_by_bounds, subset_bounds
from tests.laws.toys import documents, tall, topics
from vicinal import FSSL, LPFL, LPI, OLPI, RLPI, KernelOLPI, KernelSLPI, SparsePCA
from vicinal._matrix import unit_rows
from vicinal.errors import BadData, BadParameter, DisconnectedGraph, OneClass
from vicinal.graph import as_graph, class_products, classes, complete, epsilon, knn
from vicinal.graph._joining import repair_of_checked
from vicinal.methods._sparse_components import fitted_responses, principal_scores
from vicinal.projection import ElasticNet, RowLasso, regress
from vicinal.projection._products import Products
from vicinal.projection._solvers.reweighted_rows import reweighted_rows
from vicinal.spectrum import solve


@pytest.fixture(scope="module", name="X")
def corpus():
    return documents()


def lengths_of(X):
    return np.sqrt(np.asarray(X.multiply(X).sum(axis=1)).ravel())


class TestDotProducts:
    @pytest.mark.parametrize("build", [lambda X, **o: knn(X, 5, **o), lambda X, **o: epsilon(X, 12.0, **o), complete])
    def test_weights_are_dot_products_of_rows_as_they_are(self, X, build):
        eye = np.eye(X.shape[0])
        dot, cosine = (build(X, weight=weight).matmul(eye) for weight in ("dot", "cosine"))
        lengths = lengths_of(X)
        np.testing.assert_allclose(dot, cosine * np.outer(lengths, lengths), rtol=1e-12)
        gram = (X @ X.T).toarray()
        np.testing.assert_allclose(dot[dot > 0], gram[dot > 0], rtol=1e-9)  # cosines are counted in ticks (G2)

    def test_on_rows_of_length_one_they_are_cosines(self, X):
        U = unit_rows(X)
        np.testing.assert_allclose(knn(U, 5, weight="dot").weights.toarray(), knn(U, 5).weights.toarray(), rtol=1e-12)

    def test_documents_in_another_unit_have_the_same_embeddings(self, X):
        parts = sp.block_diag([X, X], format="csr")
        with pytest.warns(DisconnectedGraph):
            one, ten = (RLPI(3, alpha=a, weight="dot").fit(c * parts).graph_ for c, a in ((1.0, 0.1), (10.0, 10.0)))
        np.testing.assert_allclose(100.0 * one.degrees, ten.degrees, rtol=1e-12)
        assert one.connected_components.max() == 1  # nothing in common, so nothing to join them by

    def test_edges_that_repair_adds_are_dot_products_too(self, X):
        islands = sp.block_diag([np.ones((30, 30)), np.ones((30, 30))], format="csr")
        with pytest.warns(DisconnectedGraph, match="joined"):
            added = repair_of_checked(as_graph(islands), X, by_length=True).weights - islands
        rows, columns = added.nonzero()
        assert len(rows) == 2
        np.testing.assert_allclose(added[rows, columns], (X @ X.T).toarray()[rows, columns], rtol=1e-9)

    def test_long_documents_count_more(self, X):
        longer = sp.csr_array(X.multiply(np.where(np.arange(60) == 0, 5.0, 1.0)[:, None]))
        before, after = (knn(each, 5, weight="dot").degrees[0] for each in (X, longer))
        assert after == pytest.approx(5 * before)
        assert knn(longer, 5).degrees[0] == pytest.approx(knn(X, 5).degrees[0])


class TestClassProducts:
    def test_weights_are_dot_products_inside_classes(self, X):
        y = topics()
        W = class_products(X, y).matmul(np.eye(60))
        np.testing.assert_allclose(W, np.where(y[:, None] == y, (X @ X.T).toarray(), 0.0), rtol=1e-12)

    def test_documents_without_a_class_have_no_edge(self, X):
        y = np.where(np.arange(60) < 50, topics(), -1)
        assert not class_products(X, y).has_edges[50:].any()
        assert class_products(X, y).has_edges[:50].all()

    def test_equal_rows_make_it_the_class_graph(self):
        X, y = np.ones((6, 2)) / np.sqrt(2.0), [0, 0, 0, 1, 1, 1]
        np.testing.assert_allclose(class_products(X, y).matmul(np.eye(6)), classes(y, weight="one").matmul(np.eye(6)), rtol=1e-12)

    def test_a_method_takes_it(self, X):
        y = topics()
        with pytest.warns(DisconnectedGraph):
            Z, plain = (
                OLPI(3, graph=graph, disconnected="keep").fit_transform(X)
                for graph in (class_products(unit_rows(X), y), classes(y))
            )
        assert not np.allclose(np.abs(Z), np.abs(plain), rtol=1e-2)
        centres = np.array([Z[y == t].mean(axis=0) for t in range(4)])
        assert (np.argmin(((Z[:, None] - centres) ** 2).sum(axis=2), axis=1) == y).mean() > 0.95

    def test_negative_weights_and_one_class_are_refused(self, X):
        with pytest.raises(BadData, match="below zero"):
            class_products(-X, topics())
        with pytest.raises(OneClass, match="fewer than two"):
            class_products(X, np.zeros(60, dtype=int))


class TestPlainSchedule:
    def test_the_weights_at_which_the_schedule_ends_are_no_better_than_those_solved_for(self, X):
        plain, refitted = (LPFL(3, n_terms=20, solver="adm", ridge=0.0, refit=refit).fit(X) for refit in (False, True))
        assert set(plain.selected_terms_) == set(refitted.selected_terms_)
        assert plain.objectives_["adm"] > refitted.objectives_["adm"]
        assert not np.allclose(plain.components_, refitted.components_)

    def test_the_objective_is_that_of_the_weights_kept(self, X):
        model = LPFL(3, n_terms=20, solver="adm", ridge=0.5, refit=False).fit(X)
        assert model.projection_.made_by["schedule_objective"] == model.objectives_["adm"]

    @pytest.mark.parametrize("solver", ["auto", "proximal"])
    def test_another_solver_has_no_such_weights(self, X, solver):
        with pytest.raises(BadParameter, match="solver='adm'"):
            LPFL(3, solver=solver, refit=False).fit(X)

    def test_refit_is_a_truth_value(self, X):
        with pytest.raises(BadParameter, match="refit must be"):
            LPFL(3, refit="no").fit(X)


class TestSparseComponentsInTurn:
    def criterion(self, X, Q, B):
        centred = X.toarray() - X.toarray().mean(axis=0)
        return np.sum((centred - centred @ B @ Q.T) ** 2)

    def test_responses_are_the_best_for_the_weights(self, X):
        centred = Products(X, np.asarray(X.mean(axis=0)).ravel())
        B = SparsePCA(3, n_terms=15).fit(X).components_.T
        dense = X.toarray() - X.toarray().mean(axis=0)
        U, _, Vt = np.linalg.svd(dense.T @ dense @ B, full_matrices=False)
        np.testing.assert_allclose(fitted_responses(centred, B), dense @ U @ Vt, atol=1e-9)
        random = np.random.default_rng(0)
        for _ in range(20):
            other = np.linalg.qr(U @ Vt + 0.1 * random.normal(size=(X.shape[1], 3)))[0]
            assert self.criterion(X, U @ Vt, B) <= self.criterion(X, other, B)

    def test_without_a_limit_the_first_responses_are_fixed(self, X):
        _, scores = principal_scores(X, 3)
        centred = Products(X, np.asarray(X.mean(axis=0)).ravel())
        B = np.linalg.lstsq(X.toarray() - X.toarray().mean(axis=0), scores, rcond=None)[0]
        np.testing.assert_allclose(fitted_responses(centred, B), scores, atol=1e-8)

    def test_every_turn_lowers_the_criterion(self, X):
        centred = Products(X, np.asarray(X.mean(axis=0)).ravel())
        penalty, responses, found = ElasticNet(3.0, 0.1), principal_scores(X, 3)[1], []
        for _ in range(6):
            B = regress(X, responses, penalty, center=True, tol=1e-9, max_iter=10_000).weights
            found.append(np.sum((responses - centred.forward(B)) ** 2) + penalty.value(B))
            responses = fitted_responses(centred, B)
            found.append(np.sum((responses - centred.forward(B)) ** 2) + penalty.value(B))
        assert np.all(np.diff(found) <= 1e-9 * found[0])
        assert found[-1] < 0.999 * found[0]

    def test_turns_change_the_weights_and_end_where_they_settle(self, X):
        none, one, many, more = (SparsePCA(3, n_terms=15, n_alternations=turns).fit(X).components_ for turns in (0, 1, 200, 400))
        assert not np.allclose(none, one)
        np.testing.assert_array_equal(many, more)

    def test_turns_are_counted_from_none(self, X):
        with pytest.raises(BadParameter, match="n_alternations"):
            SparsePCA(3, n_alternations=-1).fit(X)


class TestSecondStageOfFSSL:
    @pytest.mark.parametrize("ridge", [0.0, 0.3])
    def test_reweighted_ridges_come_near_the_minimum_and_fall(self, X, ridge):
        Y = solve(knn(X, 6), 3).vectors
        products, alpha = Products(X), 0.2 * float(np.linalg.norm(X.T @ Y, axis=1).max())

        def objective(A):
            return 0.5 * np.sum((X @ A - Y) ** 2) + alpha * np.linalg.norm(A, axis=1).sum() + 0.5 * ridge * np.sum(A * A)

        best = objective(regress(X, Y, RowLasso(alpha, ridge), tol=1e-9, max_iter=10_000).weights)
        found = [objective(reweighted_rows(products, Y, alpha, ridge, tol=0.0, max_iter=n)[0].weights) for n in (1, 3, 10, 100)]
        assert np.all(np.diff(found) <= 1e-9 * best)
        assert best * (1 - 1e-9) <= found[-1] <= best * (1 + 1e-3)
        assert found[0] > best * (1 + 1e-3)

    def test_the_method_selects_much_the_same_terms(self, X):
        convex, staged = (FSSL(3, alpha=0.2, solver=solver).fit(X) for solver in ("auto", "reweighted"))
        assert len(set(convex.selected_terms_) & set(staged.selected_terms_)) >= 0.9 * convex.n_terms_
        assert staged.projection_.made_by["solver"] == "reweighted"

    def test_a_number_of_terms_needs_the_path(self, X):
        with pytest.raises(BadParameter, match="alpha is None"):
            FSSL(3, n_terms=10, solver="reweighted").fit(X)


class TestNumberOfTermsByBounds:
    def test_no_selection_leaves_the_bounds(self):
        X = tall()
        graph = knn(X, 6)
        W, d = graph.weights.toarray(), graph.degrees
        dense = X.toarray()

        def values(terms):
            part = dense[:, terms]
            return eigh(part.T @ W @ part, part.T @ (d[:, None] * part), eigvals_only=True)[::-1]

        every = values(np.arange(24))
        random = np.random.default_rng(0)
        for n_terms in (6, 12, 20, 23):
            lower, upper = subset_bounds(every, 3, n_terms)
            for _ in range(10):
                reached = values(random.choice(24, n_terms, replace=False))[:3].sum()
                assert lower - 1e-9 <= reached <= upper + 1e-9
        assert subset_bounds(every, 3, 24) == pytest.approx((every[:3].sum(),) * 2)

    def test_the_fewest_terms_are_those_whose_bound_suffices(self):
        values = np.linspace(1.0, 0.0, 11)
        m = n_terms_by_bounds(values, 2, 0.8)
        assert subset_bounds(values, 2, m)[0] >= 0.8 * 1.9 > subset_bounds(values, 2, m - 1)[0]
        assert n_terms_by_bounds(values, 2, 1.0) == 11

    def test_where_terms_outnumber_documents_nearly_all_are_asked_for(self):
        values = np.concatenate([np.full(30, 0.9), np.zeros(270)])  # 300 terms of 30 documents: rank 30
        assert n_terms_by_bounds(values, 5, 0.01) > 300 - 30


class TestKernelComponents:
    def test_the_linear_kernel_is_olpi(self, X):
        graph = knn(X, 6)
        by_kernel, by_terms = (method(3, graph=graph).fit_transform(X) for method in (partial(KernelOLPI, kernel="linear"), OLPI))
        signs = np.sign(np.sum(by_kernel * by_terms, axis=0))
        np.testing.assert_allclose(by_kernel * signs, by_terms, atol=1e-6 * np.abs(by_terms).max())

    @pytest.mark.parametrize("kernel", ["cosine", "rbf", "polynomial"])
    @pytest.mark.parametrize("n_landmarks", [None, 40])
    def test_components_are_orthonormal_in_the_space_of_the_kernel(self, X, kernel, n_landmarks):
        model = KernelOLPI(3, kernel=kernel, n_landmarks=n_landmarks, n_neighbors=6).fit(X)
        K = model._map.landmarks.similarities(X[model.landmarks_])
        np.testing.assert_allclose(model.dual_coef_.T @ K @ model.dual_coef_, np.eye(3), atol=1e-8)

    def test_another_kernel_is_another_embedding(self, X):
        plain, curved = (KernelOLPI(3, kernel=kernel, n_neighbors=6).fit_transform(X) for kernel in ("linear", "rbf"))
        assert not np.allclose(np.abs(plain), np.abs(curved), rtol=1e-2)

    def test_components_of_few_documents_are_minima_of_the_lasso(self, X):
        graph = knn(X, 6)
        model = KernelSLPI(3, kernel="rbf", n_documents=8, graph=graph).fit(X)
        assert [len(each) for each in model.selected_documents_] == [8, 8, 8]
        K, Y = model._map.landmarks.similarities(X), solve(graph, 3).vectors
        left = K.T @ (Y - K @ model.dual_coef_)
        for c, pull in zip(model.dual_coef_.T, left.T, strict=True):
            beta = np.abs(pull).max()
            np.testing.assert_allclose(pull[c != 0], beta * np.sign(c[c != 0]), rtol=1e-6)

    def test_documents_that_are_selected_are_training_documents(self, X):
        model = KernelSLPI(2, n_documents=5, n_landmarks=20, n_neighbors=6).fit(X)
        assert set(np.concatenate(model.selected_documents_)) <= set(model.landmarks_)


def test_lpi_by_dot_products_is_a_method_like_any_other():
    X = documents()
    assert LPI(2, weight="dot", n_neighbors=5).fit_transform(X).shape == (60, 2)
