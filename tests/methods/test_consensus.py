"""A method on the graph of what views agree on: ``graph="consensus"`` and ``graph="auto"``."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp

from vicinal import RLPI, LaplacianEigenmap, LaplacianScore, cluster
from vicinal.errors import BadParameter, NoVariation, VicinalError
from vicinal.graph._agreement import AgreementGraph
from vicinal.metrics import normalized_mutual_info


def planted(n_topics: int = 4, per_topic: int = 40, seed: int = 0):
    """Documents of a few topics, each with words of its own and words of all."""
    random = np.random.RandomState(seed)
    rows = []
    for topic in range(n_topics):
        shares = np.full(200, 0.2)
        shares[topic * 30 : topic * 30 + 30] = 4.0
        rows.append(random.multinomial(40, shares / shares.sum(), size=per_topic))
    return sp.csr_array(np.concatenate(rows).astype(float)), np.repeat(np.arange(n_topics), per_topic)


@pytest.mark.parametrize("graph", ["consensus", "auto"])
def test_a_method_finds_planted_topics_on_what_views_agree_on(graph):
    X, y = planted()
    model = RLPI(4, graph=graph).fit(X)
    assert isinstance(model.graph_, AgreementGraph)
    assert normalized_mutual_info(y, cluster(model.transform(X), 4).labels) > 0.95


@pytest.mark.parametrize("make", [RLPI, LaplacianEigenmap])
def test_noise_in_which_clusterings_find_nothing_is_refused_in_words_of_the_graph(make):
    noise = np.abs(np.random.default_rng(5).standard_normal((30, 40)))  # every document has every term
    with pytest.raises(NoVariation, match=r'graph="consensus" tells none of the 30 documents apart.*Use graph="knn"'):
        make(3, graph="consensus").fit(noise)
    assert make(3).fit(noise).n_components_ == 3


def test_labels_that_are_known_join_the_consensus():
    X, y = planted()
    half = np.where(np.arange(len(y)) % 5 == 0, y, -1)
    model = RLPI(3, graph="consensus").fit(X, half)  # the views agree on four classes, which three functions tell apart
    assert normalized_mutual_info(y, cluster(model.transform(X), 4).labels) > 0.95


def test_the_same_bits_for_every_number_of_threads():
    X, _ = planted()
    one, two = (RLPI(4, graph="consensus", n_jobs=n).fit(X).components_ for n in (1, 2))
    assert np.array_equal(one, two)


def test_few_documents_have_neighbours_instead():
    X, _ = planted(2, 5)
    assert not isinstance(LaplacianEigenmap(2, graph="consensus").fit(X).graph_, AgreementGraph)


def test_a_graph_that_does_not_exist_is_refused():
    with pytest.raises(BadParameter, match="consensus"):
        RLPI(2, graph="concensus").fit(planted()[0])


def test_a_selector_of_words_goes_by_what_views_agree_on():
    X, _ = planted()
    assert LaplacianScore(12, graph="consensus").fit(X).get_support().sum() == 12


def test_a_fit_that_fails_leaves_what_was_learnt():
    X, _ = planted()
    model = RLPI(3, graph="consensus").fit(X)
    before = model.transform(X)
    with pytest.raises(VicinalError):
        model.fit(np.ones((5, 3)))
    assert np.array_equal(model.transform(X), before)
