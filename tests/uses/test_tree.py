"""The tree of clusters: its cuts are clusterings, nested in one another, and one of them is that of the fit."""

import numpy as np
import pytest
import scipy.sparse as sp
from scipy.cluster.hierarchy import dendrogram, fcluster, is_monotonic, is_valid_linkage

from vicinal import Topics
from vicinal.errors import BadParameter
from vicinal.metrics import normalized_mutual_info

SUBJECTS, PARTS, EACH = 3, 3, 30
COARSE = np.repeat(np.arange(SUBJECTS), PARTS * EACH)
FINE = np.repeat(np.arange(SUBJECTS * PARTS), EACH)


def counts(seed: int = 0) -> sp.csr_array:
    """Three subjects of three parts each: ten terms that a subject shares, six of each part, twenty that all have."""
    random = np.random.RandomState(seed)
    shared = 0.1 + 2.0 * (COARSE[:, None] == np.repeat(np.arange(SUBJECTS), 10))
    own = 0.02 + 1.5 * (FINE[:, None] == np.repeat(np.arange(SUBJECTS * PARTS), 6))
    return sp.csr_array(random.poisson(np.column_stack([shared, own, np.full((len(FINE), 20), 0.5)])).astype(float))


@pytest.fixture(scope="module")
def topics() -> Topics:
    return Topics(n_clusters=3, n_jobs=1).fit(counts())


def test_the_cut_of_the_fit_is_its_labels(topics: Topics) -> None:
    assert np.array_equal(topics.cut().labels, topics.labels_)
    assert np.array_equal(topics.cut(n_clusters=3).labels, topics.labels_)
    assert np.array_equal(topics.cut(level="medium").labels, topics.labels_)
    assert topics.cut().sizes.tolist() == topics.sizes_.tolist()


def test_a_tree_and_its_cuts_are_printed_in_a_line(topics: Topics) -> None:
    n_leaves = topics.tree_.n_leaves
    assert repr(topics.tree_) == f"Tree(270 documents, 3 clusters, {n_leaves} leaves)"
    assert repr(topics.cut()) == f"Cut({', '.join(f'{id} (90)' for id in topics.cut().nodes)})"
    assert repr(topics.cut(n_leaves)).endswith(f", {n_leaves - 12} more)")


def test_every_cut_is_nested_in_the_next(topics: Topics) -> None:
    finer = topics.cut(topics.tree_.n_leaves).labels
    assert np.array_equal(np.unique(finer), np.arange(topics.tree_.n_leaves))
    for n_clusters in range(topics.tree_.n_leaves - 1, 0, -1):
        labels = topics.cut(n_clusters).labels
        assert np.array_equal(np.unique(labels), np.arange(n_clusters))
        assert len(np.unique(finer * 1000 + labels)) == n_clusters + 1  # every finer cluster is in one of these
        finer = labels


def test_known_parts_are_found_below_known_subjects(topics: Topics) -> None:
    assert normalized_mutual_info(COARSE, topics.labels_) > 0.99
    assert normalized_mutual_info(FINE, topics.cut(9).labels) > 0.9


def test_known_subjects_are_found_above_known_parts() -> None:
    found = Topics(n_clusters=9, n_jobs=1).fit(counts())
    assert normalized_mutual_info(FINE, found.labels_) > 0.95
    assert normalized_mutual_info(COARSE, found.cut(3).labels) > 0.95


def test_merges_inside_clusters_come_before_merges_of_clusters(topics: Topics) -> None:
    tree = topics.tree_
    inside = tree.n_leaves - topics.n_clusters_
    assert tree.fitted.max() < tree.n_leaves + inside
    assert np.all(np.diff(tree.heights) >= 0)
    assert tree.heights[-1] == pytest.approx(1.0)
    assert tree.heights[0] >= 0


def test_scipy_takes_the_linkage_and_cuts_it_the_same_way(topics: Topics) -> None:
    tree = topics.tree_
    linkage = tree.linkage()
    assert is_valid_linkage(linkage, throw=True)
    assert is_monotonic(linkage)
    assert sorted(dendrogram(linkage, no_plot=True)["leaves"]) == list(range(tree.n_leaves))
    for n_clusters in (2, 3, 5, 9):
        by_scipy = fcluster(linkage, n_clusters, "maxclust")[tree.leaves]
        assert normalized_mutual_info(by_scipy, tree.cut(n_clusters).labels) == pytest.approx(1.0)


def test_ids_depend_on_the_documents_of_a_node_and_not_on_order_or_seed(topics: Topics) -> None:
    order = np.random.RandomState(5).permutation(len(FINE))
    shuffled = Topics(n_clusters=3, n_jobs=1, random_state=7).fit(counts()[order]).tree_
    held = {
        frozenset(np.flatnonzero(topics.cut(k).labels == c)): id for k in range(1, 10) for c, id in enumerate(topics.cut(k).nodes)
    }
    again = {
        frozenset(order[np.flatnonzero(shuffled.cut(k).labels == c)]): id
        for k in range(1, 10)
        for c, id in enumerate(shuffled.cut(k).nodes)
    }
    common = held.keys() & again.keys()
    assert len(common) >= 4
    assert all(held[documents] == again[documents] for documents in common)
    assert len(set(topics.tree_.ids)) == len(topics.tree_.ids)


def test_the_order_of_documents_does_not_change_the_tree(topics: Topics) -> None:
    order = np.random.RandomState(6).permutation(len(FINE))
    shuffled = Topics(n_clusters=3, n_jobs=1).fit(counts()[order])
    assert set(shuffled.tree_.ids) == set(topics.tree_.ids)
    assert normalized_mutual_info(shuffled.cut(9).labels, topics.cut(9).labels[order]) == pytest.approx(1.0)


def test_the_number_of_threads_does_not_change_the_tree(topics: Topics) -> None:
    tree = Topics(n_clusters=3, n_jobs=2).fit(counts()).tree_
    assert tree.ids == topics.tree_.ids
    assert np.array_equal(tree.heights, topics.tree_.heights)


def test_a_node_is_opened_and_closed_by_hand(topics: Topics) -> None:
    cut = topics.cut()
    opened = cut.open(cut.nodes[1])
    assert opened.n_clusters == 4
    assert set(topics.tree_.node(cut.nodes[1]).children) < set(opened.nodes)
    assert opened.close(cut.nodes[1]).nodes == cut.nodes
    assert np.array_equal(opened.close(cut.nodes[1]).labels, topics.labels_)
    assert opened.close(topics.tree_.root).n_clusters == 1
    assert cut.open(1).nodes == opened.nodes
    assert topics.cut(nodes=opened.nodes).labels.tolist() == opened.labels.tolist()


def test_levels_are_cuts_with_a_third_and_three_times_as_many(topics: Topics) -> None:
    assert topics.cut(level="coarse").n_clusters == 2
    assert topics.cut(level="fine").n_clusters == 9


def test_terms_set_a_node_apart_from_its_sibling(topics: Topics) -> None:
    tree = topics.tree_
    for whole in topics.cut().nodes:
        parts = tree.node(whole).children
        cut = topics.cut().open(whole)
        here = [cut.labels == cut.nodes.index(part) for part in parts]
        for part, own, other in zip(parts, here, here[::-1], strict=True):
            terms = [int(term.removeprefix("term ")) for term, _ in tree.node(part).terms[:3]]
            assert np.all(counts()[own][:, terms].mean(axis=0) > counts()[other][:, terms].mean(axis=0))
    cluster = topics.labels_[0]
    own = {f"term {term}" for term in range(10)}
    assert {term for term, _ in topics.cut().top_terms(int(cluster), 5)} <= own | {f"term {30 + term}" for term in range(18)}


def test_the_fit_says_what_the_next_cuts_would_be(topics: Topics) -> None:
    fewer, more = topics.tree_.neighbors
    assert (fewer.n_clusters, more.n_clusters) == (2, 4)
    assert set(fewer.parts) < set(topics.cut().nodes)
    assert fewer.whole in topics.cut(2).nodes
    assert more.whole in topics.cut().nodes
    assert set(more.parts) < set(topics.cut(4).nodes)
    assert fewer.why.startswith("With 2 clusters, ")
    assert fewer.height >= more.height


def test_bad_cuts_are_refused(topics: Topics) -> None:
    tree, nodes = topics.tree_, topics.cut().nodes
    for bad in (0, tree.n_leaves + 1, 2.5, "three"):
        with pytest.raises(BadParameter):
            topics.cut(n_clusters=bad)
    with pytest.raises(BadParameter, match="level must be one of"):
        topics.cut(level="finest")
    with pytest.raises(BadParameter, match="one of n_clusters, level and nodes"):
        topics.cut(3, level="fine")
    with pytest.raises(BadParameter, match="missing"):
        topics.cut(nodes=nodes[1:])
    with pytest.raises(BadParameter, match="overlap"):
        topics.cut(nodes=[*nodes, tree.node(nodes[0]).children[0]])
    with pytest.raises(BadParameter, match="overlap"):
        topics.cut(nodes=[*nodes, nodes[0]])
    with pytest.raises(BadParameter, match="no node has it"):
        tree.node("zzzzzzzz")
    with pytest.raises(BadParameter, match="is a leaf"):
        topics.cut(tree.n_leaves).open(0)
    with pytest.raises(BadParameter, match="already part"):
        topics.cut().close(tree.node(nodes[0]).children[0])
    with pytest.raises(BadParameter, match="no cluster of this cut"):
        topics.cut().open(tree.root)


def test_documents_without_terms_are_in_no_cut() -> None:
    rows = sp.csr_array(sp.vstack([counts(), sp.csr_array((2, counts().shape[1]))]))
    with pytest.warns(UserWarning, match="no terms"):
        found = Topics(n_clusters=3, n_jobs=1).fit(rows)
    for n_clusters in (1, 3, 6):
        assert (found.cut(n_clusters).labels == -1).nonzero()[0].tolist() == [270, 271]


def test_classes_keep_their_numbers_in_the_cut_of_the_fit() -> None:
    y = np.full(len(FINE), -1)
    y[[0, 100, 200]] = [2, 1, 0]
    found = Topics(n_clusters=3, n_jobs=1).fit(counts(), y)
    assert np.array_equal(found.cut().labels, found.labels_)


def test_weights_below_zero_have_a_tree_too() -> None:
    rows = counts().toarray() - 0.25
    found = Topics(n_clusters=3, n_jobs=1).fit(rows)
    assert np.array_equal(found.cut().labels, found.labels_)
    assert np.all(np.diff(found.tree_.heights) >= 0)
    assert found.cut(9).n_clusters == 9
    assert all(found.tree_.node(id).terms for id in found.cut(9).nodes)


def test_a_sample_gives_a_tree_of_all_documents() -> None:
    found = Topics(n_clusters=3, max_documents=150, n_jobs=1).fit(counts())
    assert np.array_equal(found.cut().labels, found.labels_)
    assert (found.tree_.leaves >= 0).all()
    assert normalized_mutual_info(FINE, found.cut(9).labels) > 0.7


def test_two_documents_have_a_tree() -> None:
    found = Topics(n_clusters=2, n_jobs=1).fit(sp.csr_array([[1.0, 1, 0, 1], [0, 0, 1, 1.0]]))
    assert found.cut(1).labels.tolist() == [0, 0]
    assert np.array_equal(found.cut(2).labels, found.labels_)
