"""The number of topics: what is added up along the way from many groups to two is what each step is worth by itself."""

from __future__ import annotations

import numpy as np
import pytest

from tests.laws.subjects import counted
from vicinal._consensus.merge import average, edges_between, merged
from vicinal._consensus.mixture import count_terms, log_counts_of, log_likelihood_per_term
from vicinal._consensus.n_clusters import _along, _Likelihood, _Modularity
from vicinal._matrix import unit_rows
from vicinal.graph import knn
from vicinal.projection._products import Products

N_GROUPS = 9


@pytest.fixture(name="groups")
def many_groups():
    X, topic = counted()
    labels = 2 * topic + np.arange(len(topic)) % 2
    labels[labels == 9] = 8  # nine groups: the last topic whole, the others in halves
    graph = knn(unit_rows(X), 6)
    return log_counts_of(X), graph, labels, edges_between(graph, labels, N_GROUPS)


def test_nats_per_word_along_the_way_are_those_of_the_merged_groups(groups):
    evidence, _, labels, between = groups
    products = Products(evidence)
    found = _along(between, _Likelihood(count_terms(products, labels, N_GROUPS), float(evidence.sum())))
    wanted = [log_likelihood_per_term(products, merged(labels, between, k, average), k) for k in range(N_GROUPS, 1, -1)]
    np.testing.assert_allclose(found, wanted, rtol=1e-12)
    assert np.argmax(found) == N_GROUPS - 5  # the halves are put together again, and no more


def test_modularity_along_the_way_is_that_of_the_merged_groups(groups):
    _, graph, labels, between = groups
    found = _along(between, _Modularity(between.copy()))
    for score, k in zip(found, range(N_GROUPS, 1, -1), strict=True):
        B = edges_between(graph, merged(labels, between, k, average), k)
        assert score == pytest.approx(np.trace(B) - np.sum(B.sum(axis=1) ** 2), abs=1e-12)
    assert np.argmax(found) == N_GROUPS - 5
