"""Every method with a graph learns from a mixture of terms, vectors and links, and needs neither for a new document."""

from __future__ import annotations

import inspect

import numpy as np
import pytest

from tests.laws.subjects import planted
from vicinal import Vectorizer
from vicinal._matrix import dense
from vicinal.errors import BadParameter
from vicinal.graph import knn, links, mix
from vicinal.methods import METHODS, RLPI, SELECTORS, SUPERVISED

pytestmark = pytest.mark.filterwarnings("ignore::vicinal.errors.VicinalWarning")
WITH_GRAPH = [method for method in (*METHODS, *SUPERVISED, *SELECTORS) if "graph" in inspect.signature(method).parameters]
TEXTS, SUBJECT = planted(own=4, astray=4)
X = Vectorizer(min_df=1).fit_transform(TEXTS)
RNG = np.random.default_rng(0)
E = (np.eye(4)[SUBJECT] + 0.2 * RNG.normal(size=(len(SUBJECT), 4))).astype(np.float32)
PAIRS = [(i, j) for i, j in RNG.integers(0, len(SUBJECT), (200, 2)) if SUBJECT[i] == SUBJECT[j] and i != j]


def mixture():
    return mix(knn(X), knn(E), links(PAIRS, len(TEXTS)), shares="equal")


def test_there_are_methods_with_a_graph():
    assert RLPI in WITH_GRAPH
    assert len(WITH_GRAPH) >= 9


@pytest.mark.parametrize("method", WITH_GRAPH, ids=lambda method: method.__name__)
def test_a_method_takes_a_mixture_of_terms_vectors_and_links(method):
    fitted = method(graph=mixture()).fit(X, SUBJECT if method in SUPERVISED else None)
    if hasattr(fitted, "transform"):
        Z, few = fitted.transform(X), fitted.transform(X[:5])
        np.testing.assert_allclose(dense(few), dense(Z)[:5], atol=1e-12)


def within(Z):
    """Mean cosine inside subjects less that between them."""
    U = Z / np.linalg.norm(Z, axis=1, keepdims=True)
    same = SUBJECT[:, None] == SUBJECT
    return (U @ U.T)[same].mean() - (U @ U.T)[~same].mean()


def test_more_evidence_separates_the_subjects_better_and_noise_does_not():
    alone = within(RLPI(3, graph=knn(X)).fit_transform(X))
    assert within(RLPI(3, graph=mixture()).fit_transform(X)) > alone + 0.02
    noise = mix(knn(X), knn(np.abs(RNG.normal(size=(len(TEXTS), 8)))), shares="equal")
    assert within(RLPI(3, graph=noise).fit_transform(X)) < alone


def test_a_mixture_of_other_documents_is_refused():
    with pytest.raises(BadParameter, match="the graph has 62 documents but X has 63"):
        RLPI(3, graph=mix(knn(X[:-1]), links([(0, 1)], 62))).fit(X)


def test_equal_shares_give_each_graph_the_mean_degree_one():
    some = links(PAIRS[:5], len(TEXTS), weights=[7.0] * 5)
    both = mix(knn(X), some, shares="equal")
    assert both.degrees.sum() == pytest.approx(len(TEXTS) + some.has_edges.sum())
    np.testing.assert_allclose(both.degrees, mix(knn(X, weight="cosine"), links(PAIRS[:5], len(TEXTS)), shares="equal").degrees)
    with pytest.raises(BadParameter, match="shares must be one of 'equal'"):
        mix(knn(X), some, shares="even")
    assert mix(links([], 3), shares="equal").degrees.tolist() == [0, 0, 0]
