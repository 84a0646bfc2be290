"""One sequence of products stands for the whole Gram matrix."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp

from vicinal.projection._products import Products
from vicinal.projection._solvers.krylov import lanczos


def corpus(n=200, m=300, seed=0):
    rng = np.random.default_rng(seed)
    return sp.csr_array(sp.random(n, m, 0.1, random_state=rng, data_rvs=rng.random))


def solved(X, Y, alpha, **options):
    backs = []
    seen = lanczos(Products(X), Y, backs.append, **options)
    return np.column_stack(backs) @ seen.solved(alpha)


def exact(X, Y, alpha):
    return X.T @ np.linalg.solve((X @ X.T).toarray() + alpha * np.eye(X.shape[0]), Y)


def test_ridge_weights_of_every_alpha_are_combinations_of_one_sequence():
    X, Y = corpus(), np.random.default_rng(1).standard_normal((200, 6))
    for alpha in (0.3, 1.0, 10.0):
        expected = exact(X, Y, alpha)
        assert np.abs(solved(X, Y, alpha) - expected).max() < 1e-5 * np.abs(expected).max()


def test_too_short_a_sequence_shows():
    X, Y = corpus(), np.random.default_rng(1).standard_normal((200, 6))
    expected = exact(X, Y, 0.3)
    assert np.abs(solved(X, Y, 0.3, steps=3) - expected).max() > 1e-3 * np.abs(expected).max()


def test_responses_that_repeat_others_or_are_zero_do_no_harm():
    X, Y = corpus(), np.random.default_rng(1).standard_normal((200, 3))
    Y = np.column_stack([Y, Y[:, 0] - Y[:, 1], np.zeros(200), 1e6 * Y[:, 2]])
    expected = exact(X, Y, 1.0)
    assert np.all(np.abs(solved(X, Y, 1.0) - expected).max(axis=0) <= 1e-5 * np.abs(expected).max(axis=0) + 1e-15)


def test_a_matrix_of_low_rank_ends_the_sequence_early():
    rng = np.random.default_rng(0)
    X = sp.csr_array(rng.random((50, 3)) @ rng.random((3, 40)))
    Y = rng.standard_normal((50, 4))
    assert len(lanczos(Products(X), Y).nodes) < 30
    np.testing.assert_allclose(solved(X, Y, 0.5), exact(X, Y, 0.5), atol=1e-9)


def test_dense_rows_give_the_bits_of_sparse_ones_and_so_does_every_number_of_threads():
    X, Y = corpus(2100, 50), np.random.default_rng(1).standard_normal((2100, 4))
    runs = [lanczos(Products(rows, None, jobs), Y) for rows, jobs in ((X, 1), (X, 2), (X.toarray(), 2))]
    assert all(np.array_equal(run.nodes, runs[0].nodes) and np.array_equal(run.start, runs[0].start) for run in runs)


@pytest.mark.parametrize(("responses", "steps"), [(5, 60), (7, 60), (10, 42), (30, 14), (42, 10), (43, 10)])
def test_a_narrow_block_takes_more_steps_than_a_wide_one_from_10_to_60(responses, steps):
    X, Y = corpus(450, 500), np.random.default_rng(1).standard_normal((450, responses))
    blocks = []
    lanczos(Products(X), Y, blocks.append)
    assert len(blocks) == steps
