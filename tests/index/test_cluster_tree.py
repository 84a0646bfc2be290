"""The tree of an index: kept with the fit, cut without learning again, and told of documents that come and go."""

from __future__ import annotations

import shutil

import numpy as np
import pytest

import vicinal
from tests.data.make_format_1 import FILE
from tests.index.small import documents, fitted
from vicinal._store import Arrays, Store
from vicinal.errors import BadParameter, DamagedIndex, NoTree, TooFewDocuments
from vicinal.index import _stored, check, repair
from vicinal.index._fit import fit_model
from vicinal.index._steering import relabel


@pytest.fixture(name="index")
def fitted_index(tmp_path):
    with vicinal.open(tmp_path / "news.vic", create=True) as index:
        index.add(documents(range(20)))
        fitted(index)
        yield index


def test_the_cut_of_the_fit_has_the_clusters_with_their_numbers(index):
    tree = index.tree()
    assert {tree.node(id).cluster: tree.node(id).size for id in tree.cut().nodes} == {c.number: c.size for c in index.clusters()}
    assert index.clusters(level="medium") == index.clusters(n_clusters=3) == index.clusters()


def test_cuts_hold_every_document_and_learn_nothing(index, monkeypatch):
    monkeypatch.setattr(fit_model, "fit_to_counts", None)
    for n_clusters in (1, 2, 5, index.tree().n_leaves):
        found = index.clusters(n_clusters=n_clusters)
        assert len(found) == n_clusters
        assert sum(each.size for each in found) == 60
        assert [each.size for each in found] == sorted((each.size for each in found), reverse=True)
    fine = index.clusters(level="fine")
    assert len(fine) == index.tree().n_clusters_at("fine")
    assert all(each.terms and each.exemplars for each in fine)


def test_members_of_a_node_are_found_by_its_id(index):
    [first, *_] = index.clusters(n_clusters=2)
    assert len(index.members(first.path, limit=60)) == first.size
    with pytest.raises(BadParameter, match="no node has it"):
        index.members("zzzzzzz")


@pytest.mark.parametrize("cut", [{"n_clusters": 2}, {"n_clusters": 6}, {"level": "fine"}])
def test_a_node_that_is_no_cluster_has_no_number_of_one(index, cut):
    numbers, tree = {each.path: each.number for each in index.clusters(**cut)}, index.tree()
    assert numbers == {id: tree.node(id).cluster for id in numbers}
    kept = {each.number: {hit.id for hit in index.members(each.number, 100)} for each in index.clusters()}
    for id, number in numbers.items():
        assert number == -1 or {hit.id for hit in index.members(id, 100)} == kept[number]
    assert -1 in numbers.values()


def test_a_cut_by_hand_has_the_nodes_that_are_given(index):
    cut = index.tree().cut().open(index.tree().cut().nodes[0])
    found = index.clusters(nodes=cut.nodes)
    assert {each.path: each.size for each in found} == dict(zip(cut.nodes, cut.sizes.tolist(), strict=True))
    assert index.clusters(nodes=list(index.tree().cut().nodes)) == index.clusters()
    with pytest.raises(BadParameter, match="must hold every document"):
        index.clusters(nodes=cut.nodes[:2])
    with pytest.raises(BadParameter, match="one of n_clusters, level and nodes"):
        index.clusters(nodes=cut.nodes, level="fine")
    with pytest.raises(BadParameter, match="of the whole tree"):
        index.clusters(0, nodes=cut.nodes)


def test_a_node_is_opened_into_the_nodes_that_it_is_made_of(index):
    tree = index.tree()
    root = tree.node(tree.root)
    assert {each.path for each in index.clusters(tree.root)} == set(root.children)
    assert sum(each.share for each in index.clusters(root.children[0])) == pytest.approx(1.0)
    four = index.clusters(tree.root, n_clusters=4)
    assert {each.path for each in four} == set(tree.cut(4).nodes)
    assert index.clusters(tree.ids[0]) == []
    with pytest.raises(BadParameter, match="no more parts"):
        index.clusters(tree.ids[0], n_clusters=3)
    with pytest.raises(BadParameter, match="no node has it"):
        index.clusters("zzzzzzz")


def test_the_tree_is_the_same_when_the_file_is_opened_again(index, tmp_path):
    with vicinal.open(tmp_path / "news.vic") as again:
        assert again.tree().ids == index.tree().ids
        assert again.clusters(n_clusters=5) == index.clusters(n_clusters=5)


def test_documents_added_since_get_a_leaf_of_their_cluster(index):
    before = index.tree()
    index.add(documents(range(20, 25)))
    tree = index.tree()
    assert tree.ids == before.ids
    assert (len(tree.leaves), int((tree.leaves < 0).sum())) == (75, 0)
    assert np.array_equal(tree.leaves[:60], before.leaves)
    assert {tree.node(id).cluster: tree.node(id).size for id in tree.cut().nodes} == {c.number: c.size for c in index.clusters()}


def test_a_document_with_the_text_of_another_gets_its_leaf(index):
    tree = index.tree()
    every = documents(range(20))
    again = [vicinal.Document(f"again-{each.id}", each.text, each.title) for each in every]
    index.add(again)
    same = index.tree().leaves[60:] == tree.leaves
    assert same.mean() > 0.9


def test_removed_documents_are_in_no_node(index):
    index.remove(["cars-0", "cars-1"])
    tree = index.tree()
    assert tree.node(tree.root).size == 58
    assert sum(each.size for each in index.clusters(n_clusters=5)) == 58


def test_a_changed_document_leaves_its_old_leaf(index):
    bread = documents([0])[2]
    index.add([vicinal.Document("cars-0", bread.text, bread.title)])
    tree = index.tree()
    assert {tree.node(id).cluster: tree.node(id).size for id in tree.cut().nodes} == {c.number: c.size for c in index.clusters()}


def test_node_ids_last_over_a_fit_of_the_same_documents(index):
    before = index.tree()
    index.fit(random_state=3)
    after = index.tree()
    assert set(before.cut().nodes) == set(after.cut().nodes)
    assert before.root == after.root


def test_clusters_keep_their_numbers_in_the_tree_of_a_second_fit(index):
    index.remove([f"cars-{number}" for number in range(20)])
    index.fit(n_clusters=2)
    tree = index.tree()
    assert {tree.node(id).cluster for id in tree.cut().nodes} == {each.number for each in index.clusters()}


def test_the_fit_says_what_the_next_cuts_would_be(tmp_path):
    with vicinal.open(tmp_path / "news.vic", create=True) as index:
        index.add(documents(range(20)))
        cuts = fitted(index).cuts
        assert [each.split(",")[0] for each in cuts] == ["With 2 clusters", "With 4 clusters"]
        assert cuts == tuple(each.why for each in index.tree().neighbors)


def test_the_leaves_are_those_of_the_documents_in_the_order_of_the_index(index):
    tree, ids = index.tree(), [each.id for each in documents(range(20))]
    for cluster in index.clusters(n_clusters=5):
        rows = np.flatnonzero(tree.is_below(tree.number(cluster.path))[tree.leaves]) if cluster.path[0].isalpha() else []
        assert {ids[row] for row in rows} <= {hit.id for hit in index.members(cluster.path, limit=60)}
    with Store.open(index.path) as store:
        leaves, clusters = Arrays(store).get(_stored.TREE_LEAVES), Arrays(store).get(_stored.CLUSTERS)
    assert all(len(np.unique(clusters[leaves == leaf])) == 1 for leaf in np.unique(leaves[leaves >= 0]))


def sizes_of_clusters(tree):
    return {tree.node(id).cluster: tree.node(id).size for id in tree.cut().nodes}


def is_of(index):
    """Whether the tree of an index has its clusters, with all their documents."""
    return sizes_of_clusters(index.tree()) == {each.number: each.size for each in index.clusters()}


def test_a_merge_joins_the_nodes_of_two_clusters_and_leaves_the_third(index):
    before = index.tree()
    nodes = dict(zip((0, 1, 2), before.cut().nodes, strict=True))
    index.merge_clusters([0, 1])
    after = index.tree()
    assert is_of(index)
    assert set(after.ids[: after.n_leaves]) == set(before.ids[: before.n_leaves])
    assert nodes[2] in after.cut().nodes
    assert set(after.node(after.cut().nodes[0]).children) == {nodes[0], nodes[1]}
    assert len(index.clusters(n_clusters=3)) == 3


def test_undoing_a_merge_gives_the_tree_that_there_was(index):
    before = index.tree()
    index.undo(index.merge_clusters([0, 1]).number)
    after = index.tree()
    assert set(after.ids) == set(before.ids)
    assert np.allclose(after.heights, before.heights)
    for id in before.ids:
        assert set(after.node(id).children) == set(before.node(id).children)
        assert after.node(id).terms == before.node(id).terms


def test_a_split_divides_leaves_and_undoing_it_joins_them_in_one_node(index):
    before = index.tree()
    split = index.split_cluster(0, 2)
    assert is_of(index)
    assert len(index.tree().cut().nodes) == 4
    index.undo(split.number)
    assert is_of(index)
    assert set(index.tree().cut().nodes) == set(before.cut().nodes)


def test_a_moved_document_is_in_the_tree_of_its_cluster(index):
    before, other = index.tree(), index.search("bread", 1)[0].cluster
    index.move_documents(["cars-0"], other)
    assert is_of(index)
    assert index.tree().n_leaves == before.n_leaves


def test_a_cluster_of_documents_that_came_later_is_a_node(index):
    new = [vicinal.Document(f"sky-{i}", f"car engine wheel road zeppelin harbour {i}") for i in range(4)]
    index.add(new)
    number = index.search("engine wheel", 1)[0].cluster
    index.split_cluster(number, 2)
    index.add(documents(range(20, 22)))
    assert is_of(index)
    assert (index.tree().leaves >= 0).all()


def test_pins_and_names_leave_the_tree_as_it_is(index):
    before = index.tree()
    number = before.node(before.neighbors[0].parts[0]).cluster
    index.pin_cluster(0)
    index.name_cluster(number, "Flower beds")
    after = index.tree()
    assert (after.ids, after.heights.tolist()) == (before.ids, before.heights.tolist())
    assert [after.node(id).cluster for id in after.cut().nodes if after.node(id).name == "Flower beds"] == [number]
    assert "Flower beds (20)" in after.neighbors[0].why
    apart = next(number for number in range(3) if before.cut().nodes[number] not in before.neighbors[0].parts)
    index.name_cluster(apart, "Bread")
    assert [each.name for each in index.clusters(n_clusters=2) if each.named] == ["Bread"]


def test_removed_documents_and_a_merge_leave_no_empty_node(index):
    index.remove([f"cars-{number}" for number in range(18)])
    index.merge_clusters([0, 1])
    tree = index.tree()
    assert is_of(index)
    assert min(tree.sizes) > 0


@pytest.mark.parametrize("n_clusters", [2, 3])
def test_a_fit_under_constraints_has_a_tree_of_the_clusters_that_they_make(index, n_clusters):
    index.merge_clusters([0, 1])
    assert index.fit(n_clusters=n_clusters).cuts
    assert is_of(index)


def test_steering_an_index_without_a_tree_makes_none(tmp_path):
    with vicinal.open(shutil.copy(FILE, tmp_path / "old.vic")) as index:
        numbers = [each.number for each in index.clusters()]
        if len(numbers) > 2:
            index.merge_clusters(numbers[:2])
        else:
            index.split_cluster(numbers[0], 2)
        with pytest.raises(NoTree, match="Fit again to get a tree"):
            index.tree()


def test_clusters_changed_by_a_version_that_knew_no_tree_are_told_from_those_of_the_tree(index, monkeypatch):
    monkeypatch.setattr(relabel, "save_tree_of_changed", lambda *_: None)
    index.merge_clusters([0, 1])
    with pytest.raises(NoTree, match="an earlier version has changed its clusters"):
        index.tree()
    assert index.clusters()


def test_a_repaired_index_has_a_tree(index, tmp_path):
    index.close()
    with Store.open(tmp_path / "news.vic") as store, store.writing():
        Arrays(store).put(_stored.TREE_IDS, ["a", "b"])
    assert [each.where for each in check(tmp_path / "news.vic")] == ["the fitted model"]
    assert repair(tmp_path / "news.vic").fitted.n_clusters == 3
    with vicinal.open(tmp_path / "news.vic") as again:
        assert is_of(again)
    assert check(tmp_path / "news.vic") == []


def test_an_index_of_the_first_format_has_no_tree_and_says_so(tmp_path):
    with vicinal.open(shutil.copy(FILE, tmp_path / "old.vic")) as index:
        assert index.clusters()
        for ask in (index.tree, lambda: index.clusters(n_clusters=2), lambda: index.clusters(level="fine")):
            with pytest.raises(NoTree, match="Fit again to get a tree"):
                ask()
        index.fit()
        assert index.tree().n_leaves >= len(index.clusters())


def test_an_index_without_a_fit_has_no_tree(tmp_path):
    with vicinal.open(tmp_path / "new.vic", create=True) as index:
        index.add(documents(range(2)))
        assert index.clusters(n_clusters=2) == []
        with pytest.raises(TooFewDocuments, match="not fitted"):
            index.tree()


def test_bad_cuts_are_refused(index):
    with pytest.raises(BadParameter, match="cannot be cut into more clusters"):
        index.clusters(n_clusters=1000)
    with pytest.raises(BadParameter, match="level must be one of"):
        index.clusters(level="finest")
    with pytest.raises(BadParameter, match="one of n_clusters, level and nodes"):
        index.clusters(n_clusters=3, level="fine")
    with pytest.raises(BadParameter, match="are of the whole tree"):
        index.clusters(of=0, level="fine")
    with pytest.raises(BadParameter, match="n_clusters"):
        index.clusters(n_clusters="many")


def test_a_tree_that_does_not_fit_together_is_damage(index, tmp_path):
    index.close()
    with Store.open(tmp_path / "news.vic") as store, store.writing():
        Arrays(store).put(_stored.TREE_IDS, ["a", "b"])
    with vicinal.open(tmp_path / "news.vic") as again:
        assert again.clusters()
        with pytest.raises(DamagedIndex, match="does not fit together"):
            again.tree()
