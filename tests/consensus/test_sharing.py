"""With whom a document shares its assignment, and how much (V3, V7)."""

import numpy as np
import pytest
import scipy.sparse as sp

from vicinal import Weighting
from vicinal._consensus import cluster_by_consensus, neighbor_graphs
from vicinal._consensus.mixture import log_counts_of, refine
from vicinal._consensus.sharing import agreed_walk, random_walk
from vicinal._consensus.views import consensus_input, take_views
from vicinal._matrix import csr
from vicinal.graph import SparseGraph
from vicinal.metrics import normalized_mutual_info
from vicinal.projection._products import Products

PATH = SparseGraph(csr(sp.diags_array([[2.0] * 4, [2.0] * 4], offsets=[1, -1])))  # five documents in a row


def test_a_walk_where_all_agree_is_the_random_walk():
    together = np.zeros(5, dtype=np.int64)
    assert np.allclose(agreed_walk(PATH, [together, together], [1.0, 0.3]).toarray(), random_walk(PATH).toarray())


def test_a_neighbour_counts_by_the_share_of_views_that_put_it_in_the_same_cluster():
    one, other = np.array([0, 0, 1, 1, 1]), np.array([0, 0, 0, 0, 1])
    walk = agreed_walk(PATH, [one, other], [1.0, 3.0]).toarray()
    assert walk[1].tolist() == [0.5, 0.125, 0.375, 0.0, 0.0]  # views with 3/4 of all shares put 1 and 2 together
    assert walk[4].tolist() == [0.0, 0.0, 0.0, 0.25, 0.75]
    assert np.allclose(walk.sum(axis=1), 1.0)


def test_documents_in_no_cluster_agree_with_none_and_those_without_neighbours_stay_at_zero():
    outside = np.array([-1, -1, 0, 0, 0])
    alone = SparseGraph(csr((PATH.weights.data[:1] * 0 + 1, np.array([1]), np.array([0, 1, 1, 1, 1, 1])), shape=(5, 5)))
    walk = agreed_walk(alone, [outside], [1.0]).toarray()
    assert walk[0].tolist() == [1.0, 0.0, 0.0, 0.0, 0.0]  # its neighbour is in no cluster: it keeps all
    assert not walk[1:].any()


def small_beside_large(seed):
    """A small cluster, most of whose documents have neighbours in a large one: counts, clusters, neighbours, three views."""
    rng = np.random.default_rng(seed)
    y = np.repeat([0, 1], [180, 20])
    rates = np.ones((2, 40))
    rates[0, :20], rates[1, 20:] = 4.0, 4.0
    X = csr(rng.poisson(0.05 * rates[y]).astype(float))
    neighbours = np.where(y[:, None] == 0, rng.integers(0, 180, (200, 6)), rng.integers(0, 180, (200, 6)))
    neighbours[y == 1, :2] = rng.integers(180, 200, (20, 2))  # four of six lie in the large cluster
    rows = np.repeat(np.arange(200), 6)
    W = sp.csr_array((np.ones(1200), (rows, neighbours.ravel())), shape=(200, 200))
    views = [np.where(rng.random(200) < 0.1, 1 - y, y) for _ in range(3)]
    return X, y, SparseGraph(csr(W + W.T)), views


def test_a_small_cluster_keeps_its_documents_when_most_neighbours_are_in_a_large_one():
    gained = []
    for seed in range(4):
        X, y, graph, views = small_beside_large(seed)
        counts = Products(log_counts_of(X))
        everywhere, agreed = (
            refine(counts, views[0], 2, neighbors=Products(walk))
            for walk in (random_walk(graph), agreed_walk(graph, views, [1.0] * 3))
        )
        gained.append(normalized_mutual_info(y, agreed) - normalized_mutual_info(y, everywhere))
    assert min(gained) >= 0
    assert np.mean(gained) > 0.05


@pytest.fixture(scope="module")
def four():
    rng = np.random.default_rng(3)
    y = np.arange(160) % 4
    X = csr(rng.poisson(0.25 + 1.2 * (np.arange(48)[None, :] // 12 == y[:, None])).astype(float))
    data = consensus_input(Weighting().fit_transform(X), X, None, 0, 1)
    return data, neighbor_graphs(data.X, 0, 1)


def test_the_consensus_shares_where_views_agree(four):
    """Whatever documents shared while views were taken."""
    data, graphs = four
    views = take_views(data.sharing(graphs), graphs, 4)
    found = [cluster_by_consensus(each, graphs, 4, views=views) for each in (data, data.sharing(graphs))]
    assert np.array_equal(found[0].labels, found[1].labels)
    assert found[0].qualities == found[1].qualities
    walk = data.sharing_where_agreed(graphs, views).neighbors
    assert walk is not None
    expected = agreed_walk(graphs.combined, [view.labels for view in views], [view.share for view in views])
    assert np.array_equal(walk.X.toarray(), expected.toarray())
