"""People steer clusters: names, merges, splits, moves and pins are in force at once, survive refits, and can be undone."""

from __future__ import annotations

import json
import multiprocessing
import os
import random
import signal
import sys

import numpy as np
import pytest

import vicinal
from tests.index.small import documents, fitted
from vicinal import Choice
from vicinal._store import Settings, Store
from vicinal.errors import BadParameter, IndexLocked, TooFewDocuments
from vicinal.index._clusters.constraints import HeldPart, KeptConstraint, load_constraints, refuse_contradictions, save_constraints
from vicinal.index._steering.steered_fit import FitConstraints, _returns


def clusters(index):
    """The subjects of the documents of each cluster, by its number."""
    found = {cluster.number: set() for cluster in index.clusters()}
    for number in found:
        found[number] = {hit.id for hit in index.members(number, 1000)}
    return found


def subjects(index):
    return {number: {id.partition("-")[0] for id in ids} for number, ids in clusters(index).items()}


def number_of(index, subject):
    [number] = [number for number, inside in subjects(index).items() if inside == {subject}]
    return number


def more(index, numbers=range(20, 30)):
    index.add(documents(numbers))
    return index.fit()


class TestNames:
    def test_a_name_stays_while_its_number_goes_on(self, index):
        cars = number_of(index, "cars")
        index.name_cluster(cars, "Motoring")
        for _ in range(2):
            [named] = [cluster for cluster in index.clusters() if cluster.named]
            assert (named.number, named.name, index.info().names) == (cars, "Motoring", {cars: "Motoring"})
            more(index)
        assert subjects(index)[cars] == {"cars"}

    def test_an_empty_name_takes_it_away(self, index):
        before = index.clusters()
        index.name_cluster(0, "Motoring")
        index.name_cluster(0, "")
        assert index.clusters() == before
        assert Settings(index._store).get("cluster names") is None

    @pytest.mark.parametrize("name", ["  ", "two\nlines", "x" * 201, 7])
    def test_what_is_no_name_is_refused(self, index, name):
        with pytest.raises(BadParameter, match=r"one line of 1 to 200 characters, got .*\. Give a text of that length"):
            index.name_cluster(0, name)

    def test_no_two_clusters_have_one_name_and_no_other_is_named(self, index):
        index.name_cluster(0, "Motoring")
        with pytest.raises(BadParameter, match="cluster 0 has the name 'Motoring' already"):
            index.name_cluster(1, "Motoring")
        with pytest.raises(BadParameter, match=r"there is no cluster 9. There are: 0, 1, 2"):
            index.name_cluster(9, "Sailing")
        assert index.info().names == {0: "Motoring"}

    def test_a_name_that_ends_with_its_cluster_is_reported(self, index):
        cars = number_of(index, "cars")
        index.name_cluster(cars, "Motoring")
        index.remove(clusters(index)[cars])
        notes = index.fit(n_clusters=2).notes
        assert f"cluster {cars} ended, and with it the name 'Motoring'." in notes
        assert index.info().names == {}

    def test_exports_have_names(self, index, tmp_path):
        index.name_cluster(0, "Motoring")
        index.export(tmp_path / "all.jsonl")
        rows = [json.loads(line) for line in (tmp_path / "all.jsonl").read_text().splitlines()]
        others = {cluster.number: cluster.name for cluster in index.clusters()}
        assert {(row["cluster"], row["cluster_name"]) for row in rows} == set(others.items())
        assert others[0] == "Motoring"

    def test_an_index_without_clusters_has_none_to_name(self, tmp_path):
        with vicinal.open(tmp_path / "new.vic", create=True) as index, pytest.raises(TooFewDocuments, match="change clusters"):
            index.name_cluster(0, "Motoring")


class TestMerge:
    def test_merged_clusters_are_one_at_once_and_after_a_fit_to_more_documents(self, index):
        cars, garden = number_of(index, "cars"), number_of(index, "garden")
        merged = index.merge_clusters([cars, garden])
        assert (merged.kind, merged.clusters, merged.number) == ("merge", (cars, garden), 1)
        assert sorted(map(sorted, subjects(index).values())) == [["cars", "garden"], ["kitchen"]]
        assert index.check() == []
        change = more(index).change
        assert "1 constraint holds 20 documents in place." in change
        assert subjects(index)[cars] == {"cars", "garden"}
        assert len(subjects(index)) == 2
        assert index.constraints() == [vicinal.index.Constraint(1, "merge", (cars, garden), 20)]

    def test_new_documents_of_both_join_it(self, index):
        cars, garden = number_of(index, "cars"), number_of(index, "garden")
        index.merge_clusters([cars, garden])
        index.add(documents(range(40, 50)))
        assert {id for id in clusters(index)[cars] if id.endswith(("-41", "-48"))} == {
            f"{subject}-{number}" for subject in ("cars", "garden") for number in (41, 48)
        }

    @pytest.mark.parametrize("n_clusters", [2, 3, 4])
    def test_they_stay_together_whatever_number_is_asked_for(self, index, n_clusters):
        cars, garden = number_of(index, "cars"), number_of(index, "garden")
        index.merge_clusters([cars, garden])
        index.add(documents(range(20, 26)))
        index.fit(n_clusters=n_clusters)
        inside = clusters(index)[cars]
        assert {f"{subject}-{number}" for subject in ("cars", "garden") for number in range(26)} <= inside
        for cluster in index.clusters():
            assert {id for id, _ in cluster.exemplars} <= clusters(index)[cluster.number]

    def test_without_the_constraint_they_would_come_apart(self, index):
        cars, garden = number_of(index, "cars"), number_of(index, "garden")
        index.merge_clusters([cars, garden])
        save_constraints(index._store, [])
        index.fit(n_clusters=3)
        assert sorted(map(sorted, subjects(index).values())) == [["cars"], ["garden"], ["kitchen"]]

    def test_the_name_goes_on_and_undoing_brings_back_numbers_names_and_documents(self, index):
        cars, garden = number_of(index, "cars"), number_of(index, "garden")
        before = clusters(index)
        index.name_cluster(garden, "Gardening")
        made = index.merge_clusters([cars, garden])
        assert made.notes == (f"cluster {garden} ended; its name 'Gardening' goes on with cluster {cars}.",)
        assert index.info().names == {cars: "Gardening"}
        index.name_cluster(cars, "Outdoors")
        index.undo(1)
        assert clusters(index) == before
        assert index.info().names == {cars: "Outdoors", garden: "Gardening"}
        assert (index.constraints(), index.info().n_constraints) == ([], 0)
        index.fit()
        assert subjects(index) == {number: {next(iter(ids)).partition("-")[0]} for number, ids in before.items()}

    def test_one_cluster_alone_is_not_left(self, index):
        before = index.clusters()
        with pytest.raises(BadParameter, match="would leave 1 cluster"):
            index.merge_clusters([0, 1, 2])
        with pytest.raises(BadParameter, match="two different clusters"):
            index.merge_clusters([1, 1])
        assert index.clusters() == before

    def test_undoing_gives_a_name_that_went_on_back_to_its_cluster(self, index):
        cars, garden = number_of(index, "cars"), number_of(index, "garden")
        index.name_cluster(garden, "Gardening")
        index.merge_clusters([cars, garden])
        index.undo(1)
        assert index.info().names == {garden: "Gardening"}
        [named] = [cluster for cluster in index.clusters() if cluster.named]
        assert (named.number, named.name) == (garden, "Gardening")

    def test_a_name_that_ends_with_a_merge_is_said_and_one_that_another_cluster_has_by_now_is_not_given_back(self, index):
        cars, garden, kitchen = (number_of(index, subject) for subject in ("cars", "garden", "kitchen"))
        index.name_cluster(cars, "Motoring")
        index.name_cluster(garden, "Gardening")
        assert index.merge_clusters([cars, garden]).notes == (f"cluster {garden} ended, and with it the name 'Gardening'.",)
        index.name_cluster(kitchen, "Gardening")
        said = f"cluster {garden} does not get back the name 'Gardening': cluster {kitchen} has it."
        assert said in index.undo(1).notes
        assert index.info().names == {cars: "Motoring", kitchen: "Gardening"}

    @pytest.mark.parametrize("swallowed_first", [False, True])
    def test_a_subject_that_comes_later_is_a_cluster_of_its_own(self, index, swallowed_first):
        cars, garden = number_of(index, "cars"), number_of(index, "garden")
        index.merge_clusters([cars, garden])
        index.add(sailing(range(30)))
        assert {f"sailing-{number}" for number in range(30)} <= clusters(index)[cars]  # by the words they share: nobody said so
        if swallowed_first:
            index.fit(n_clusters=2)
            assert "sailing" in subjects(index)[cars]
        index.fit(n_clusters=3)
        assert sorted(map(sorted, subjects(index).values())) == [["cars", "garden"], ["kitchen"], ["sailing"]]

    def test_many_more_documents_of_the_merged_subjects_do_not_take_it_apart(self, index):
        cars, garden = number_of(index, "cars"), number_of(index, "garden")
        index.merge_clusters([cars, garden])
        index.add(documents(range(20, 80)))
        index.fit(n_clusters=3)
        old = {f"{subject}-{number}" for subject in ("cars", "garden") for number in range(20)}
        assert old <= clusters(index)[cars]

    def test_undoing_sends_documents_that_came_since_to_the_cluster_of_their_terms_and_says_so(self, index):
        cars, garden = number_of(index, "cars"), number_of(index, "garden")
        index.merge_clusters([cars, garden])
        index.add(documents(range(20, 25)))
        assert "10 documents came after the merge: by their terms 5 to cluster" in " ".join(index.undo(1).notes)
        assert {number: {*inside} for number, inside in subjects(index).items() if number in (cars, garden)} == {
            cars: {"cars"},
            garden: {"garden"},
        }
        assert index.check() == []


def sailing(numbers):
    """Documents on a subject of their own, with a few words of cars."""
    for number in numbers:
        chance = random.Random(f"sailing {number}")
        words = chance.choices(["sail", "mast", "anchor", "harbour", "deck", "rudder", "tide", "wave", "captain", "crew"], k=12)
        words += ["wheel", "speed", *chance.choices(["people", "time", "day"], k=2)]
        yield vicinal.Document(f"sailing-{number}", " ".join(words))


class TestSplit:
    @pytest.fixture(name="lumped")
    def two_subjects_in_one(self, index):
        index.fit(n_clusters=2)
        return index

    def test_a_split_stays_split_and_can_be_undone(self, lumped):
        [lump] = [number for number, inside in subjects(lumped).items() if len(inside) == 2]
        before = clusters(lumped)
        made = lumped.split_cluster(lump, 2)
        assert made.clusters == (lump, 3)
        assert sorted(map(sorted, subjects(lumped).values())) == [["cars"], ["garden"], ["kitchen"]]
        assert lumped.check() == []
        kept = subjects(lumped)
        more(lumped)
        assert subjects(lumped) == kept
        lumped.undo(made.number)
        assert {number: len(inside) for number, inside in subjects(lumped).items()} == {
            lump: 2,
            min({0, 1, 2} & set(kept) - {lump}): 1,
        }
        assert set(clusters(lumped)) == set(before)

    def test_a_cluster_without_parts_is_not_split(self, index):
        index.remove([f"cars-{number}" for number in range(3, 20)])
        with pytest.raises(BadParameter, match="cannot be split"):
            index.split_cluster(number_of(index, "cars"))

    def test_a_part_that_is_split_again_is_still_apart_from_the_others(self, lumped):
        [lump] = [number for number, inside in subjects(lumped).items() if len(inside) == 2]
        lumped.split_cluster(lump, 2)
        lumped.split_cluster(lump, 2)
        assert len(clusters(lumped)) == 4
        refuse_contradictions(load_constraints(lumped._store))
        before = subjects(lumped)
        lumped.fit()
        assert set(before) == set(subjects(lumped))

    @pytest.mark.parametrize("part_continues", [False, True])
    def test_a_split_is_not_undone_while_one_of_its_parts_is_merged_with_another_cluster(self, index, part_continues):
        cars, garden, kitchen = (number_of(index, subject) for subject in ("cars", "garden", "kitchen"))
        before = clusters(index)
        part = index.split_cluster(cars, 2).clusters[1]
        crumb = clusters(index)[part]
        index.merge_clusters([part, garden] if part_continues else [garden, part])
        state = clusters(index)
        with pytest.raises(BadParameter, match=r"contradicts constraint 2 \(merge of clusters .*Undo that first: undo\(2\)"):
            index.undo(1)
        assert clusters(index) == state
        index.undo(2)
        assert clusters(index)[part] == crumb
        index.undo(1)
        assert clusters(index) == before == {cars: before[cars], garden: before[garden], kitchen: before[kitchen]}

    def test_what_was_split_off_goes_back_to_where_the_rest_was_merged(self, index):
        cars, garden = number_of(index, "cars"), number_of(index, "garden")
        before = clusters(index)
        index.split_cluster(cars, 2)
        index.merge_clusters([garden, cars])
        index.undo(1)
        assert clusters(index)[garden] == before[cars] | before[garden]


class TestMove:
    def test_moved_documents_stay_where_they_were_put(self, index):
        cars, garden = number_of(index, "cars"), number_of(index, "garden")
        index.move_documents(["cars-1", "cars-2"], garden)
        for _ in range(3):
            assert {"cars-1", "cars-2"} <= clusters(index)[garden]
            assert "cars-3" in clusters(index)[cars]
            assert index.check() == []
            more(index)

    def test_a_moved_document_whose_text_changes_stays_too(self, index):
        garden = number_of(index, "garden")
        index.move_documents(["cars-1"], garden)
        index.add([vicinal.Document("cars-1", "bread oven flour salt butter")])
        assert "cars-1" in clusters(index)[garden]

    def test_the_last_move_counts_and_undoing_brings_a_document_back(self, index):
        cars, garden, kitchen = (number_of(index, subject) for subject in ("cars", "garden", "kitchen"))
        index.move_documents(["cars-1", "cars-2"], garden)
        index.move_documents(["cars-1"], kitchen)
        assert [each.n_documents for each in index.constraints()] == [1, 1]
        index.undo(1)
        assert "cars-2" in clusters(index)[cars]
        index.undo(2)
        assert "cars-1" in clusters(index)[garden]  # where it was before
        assert index.constraints() == []

    def test_documents_that_were_removed_are_reported_and_dropped(self, index):
        garden = number_of(index, "garden")
        index.move_documents(["cars-1", "cars-2"], garden)
        index.move_documents(["cars-3"], garden)
        index.remove(["cars-1", "cars-3"])
        notes = index.fit().notes
        said = f"(documents moved to cluster {garden})"
        assert f"constraint 1 {said}: 1 of the 2 documents that it held were removed." in notes
        assert f"constraint 2 {said} is dropped: its documents were removed." in notes
        assert [each.number for each in index.constraints()] == [1]
        assert not any("constraint" in note for note in index.fit().notes)

    def test_documents_that_are_not_there_or_have_no_terms_are_refused(self, index):
        before = clusters(index)
        index.add([vicinal.Document("odd", "quokka")])
        for ids, said in ((["cars-1", "nobody"], "nobody"), (["odd"], "has no known terms"), ([], "empty list")):
            with pytest.raises(BadParameter, match=said):
                index.move_documents(ids, 0)
        assert clusters(index) == before


class TestPin:
    def test_a_pinned_cluster_keeps_its_documents_and_takes_others(self, index):
        cars = number_of(index, "cars")
        index.move_documents(["garden-1"], cars)
        inside = clusters(index)[cars]
        index.pin_cluster(cars)
        assert [cluster.number for cluster in index.clusters() if cluster.pinned] == [cars]
        index.add(documents(range(20, 25)))
        index.fit(n_clusters=2)
        assert inside < clusters(index)[cars]
        index.unpin_cluster(cars)
        assert not any(cluster.pinned for cluster in index.clusters())
        with pytest.raises(BadParameter, match="is not pinned"):
            index.unpin_cluster(cars)

    def test_pins_go_with_a_merge_and_come_back(self, index):
        cars, garden = number_of(index, "cars"), number_of(index, "garden")
        before = clusters(index)
        index.pin_cluster(garden)
        index.merge_clusters([cars, garden])
        assert [cluster.number for cluster in index.clusters() if cluster.pinned] == [cars]
        index.undo(2)
        assert [cluster.number for cluster in index.clusters() if cluster.pinned] == [garden]
        assert clusters(index) == before


class TestContradictions:
    def test_each_names_the_constraints_and_changes_nothing(self, index):
        cars, garden = number_of(index, "cars"), number_of(index, "garden")
        index.pin_cluster(cars)
        state = index.clusters(), index.constraints()
        with pytest.raises(
            BadParameter, match=rf"constraint 2 \(documents moved .*\) contradicts constraint 1 \(pin of cluster {cars}\)"
        ):
            index.move_documents(["cars-1"], garden)
        with pytest.raises(BadParameter, match=rf"contradicts constraint 1 \(pin of cluster {cars}\)"):
            index.split_cluster(cars, 2)
        assert (index.clusters(), index.constraints()) == state

    def test_a_merge_and_a_split_of_the_same_clusters(self, index):
        cars, garden = number_of(index, "cars"), number_of(index, "garden")
        index.merge_clusters([cars, garden])
        with pytest.raises(BadParameter, match=rf"contradicts constraint 1 \(merge of clusters {cars} and {garden}\)"):
            index.split_cluster(cars, 2)
        index.undo(1)
        index.fit(n_clusters=2)
        [lump] = [number for number, inside in subjects(index).items() if len(inside) == 2]
        parts = index.split_cluster(lump, 2).clusters
        with pytest.raises(BadParameter, match=r"constraint 2 \(split into clusters .*\) keeps apart"):
            index.merge_clusters(parts)

    def test_unknown_constraints_are_not_undone(self, index):
        index.pin_cluster(0)
        with pytest.raises(BadParameter, match=r"there is no constraint 7. There are: constraint 1 \(pin of cluster 0\)"):
            index.undo(7)


class TestReport:
    @pytest.mark.parametrize("n_clusters", [2, "auto"])
    def test_a_fit_speaks_of_constraints_and_of_no_y(self, index, n_clusters, monkeypatch):
        cars, garden, kitchen = (number_of(index, subject) for subject in ("cars", "garden", "kitchen"))
        for number in (cars, garden, kitchen):
            index.pin_cluster(number)
        two = Choice.of("n_clusters", [2, 3], [0.9, 0.5], score="modularity", higher_is_better=True, margin=0.0)
        monkeypatch.setattr("vicinal.uses._topics.topics_fit.choose_n_clusters", lambda *_: two)
        done = index.fit(n_clusters=n_clusters)
        said = " ".join([*done.notes, *done.chosen.values()])
        assert "constraints keep so many clusters" in said
        assert "class of y" not in said


class TestUncertain:
    def test_the_least_certain_come_first_with_two_clusters_and_terms_for_each(self, index):
        mixed = "car engine wheel road brake rose tulip garden flower soil"
        index.add([vicinal.Document("between", mixed, "Between")])
        first, *others = index.uncertain(5)
        assert (first.id, first.title, len(others)) == ("between", "Between", 4)
        assert number_of(index, "kitchen") not in {number for number, _, _ in first.clusters}
        names = {number: name for number, name, _ in first.clusters}
        assert names == {cluster.number: cluster.name for cluster in index.clusters() if cluster.number in names}
        for terms in first.terms:
            assert terms
            assert {term for term, _ in terms} <= set(mixed.split())
            assert [part for _, part in terms] == sorted((part for _, part in terms if part > 0), reverse=True)
        assert not {term for term, _ in first.terms[0]} & {term for term, _ in first.terms[1]}
        assert [each.uncertainty for each in (first, *others)] == sorted(
            (each.uncertainty for each in (first, *others)), reverse=True
        )

    def test_what_a_person_decided_is_not_asked_again(self, index):
        index.add([vicinal.Document("between", "car engine wheel road rose tulip garden flower")])
        index.move_documents(["between"], 0)
        assert "between" not in {each.id for each in index.uncertain(100)}
        assert len(index.uncertain(100)) == 60

    def test_before_a_fit_there_are_none(self, tmp_path):
        with vicinal.open(tmp_path / "new.vic", create=True) as index:
            assert index.uncertain() == []
            assert index.constraints() == []


class TestTransactions:
    def test_changes_of_one_block_are_kept_together_or_not_at_all(self, index):
        before = index.clusters()

        def changes():
            with index.transaction():
                index.name_cluster(0, "Motoring")
                index.merge_clusters([0, 1])
                index.pin_cluster(9)

        with pytest.raises(BadParameter, match="there is no cluster 9"):
            changes()
        assert index.clusters() == before
        with index.transaction():
            index.merge_clusters([0, 1])
            index.move_documents(["cars-1"], 2)
            index.pin_cluster(2)
        assert [each.kind for each in index.constraints()] == ["merge", "move", "pin"]
        assert "cars-1" in clusters(index)[2]

    def test_others_see_the_change_after_it_and_a_second_writer_is_refused(self, index):
        with vicinal.open(index.path) as other:
            assert len(other.clusters()) == 3
            index.merge_clusters([0, 1])
            assert len(other.clusters()) == 2
            with index.transaction(), pytest.raises(IndexLocked):
                other.name_cluster(2, "Late")

    @pytest.mark.skipif(sys.platform == "win32", reason="no fork, no SIGKILL")
    def test_a_kill_in_the_middle_leaves_the_old_state(self, index):
        before = index.clusters(), index.constraints()
        index.close()
        context = multiprocessing.get_context("fork")

        def merge_and_die(path):
            with vicinal.open(path) as mine, mine.transaction():
                mine.name_cluster(2, "Kitchen")
                mine.merge_clusters([0, 1])
                os.kill(os.getpid(), signal.SIGKILL)

        process = context.Process(target=merge_and_die, args=(index.path,))
        process.start()
        process.join()
        assert process.exitcode == -signal.SIGKILL
        with vicinal.open(index.path) as again:
            assert (again.clusters(), again.constraints()) == before
            assert again.check() == []


def test_a_repaired_index_keeps_names_and_constraints(tmp_path):
    path = tmp_path / "whole.vic"
    with vicinal.open(path, create=True) as index:
        index.add(documents(range(8)))
        fitted(index)
        cars, garden = number_of(index, "cars"), number_of(index, "garden")
        index.merge_clusters([cars, garden])
    with Store.open(path) as store, store.writing():
        store.execute("DELETE FROM blocks WHERE name = 'rows/topics'")
    vicinal.index.repair(path)
    with vicinal.open(path) as index:
        assert subjects(index)[cars] == {"cars", "garden"}


def test_documents_of_a_merged_part_that_a_clustering_gave_away_go_back_and_terms_decide_about_later_ones():
    """Cluster 7 was merged of documents 1 to 4 and 5 to 8; the clustering put the free ones of the second part into cluster 9.

    Document 9 came after the merge, and document 10 after the last fit: terms decide about both.
    """
    parts = HeldPart(7, 7, (1, 2), (3, 4)), HeldPart(7, 8, (5, 6), (7, 8))
    known = np.array([7, 7, -1, -1, 7, 7, -1, -1, -1, -1, 9])
    constraints = FitConstraints((KeptConstraint(1, "merge", parts),), known, known, ())
    before = np.array([7] * 8 + [7, -1, 9])
    given = np.array([0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1])
    found = _returns((7, 9), constraints, np.arange(1, 12), before, given)
    assert found.tolist() == [0] * 8 + [-1, -1, 1]
    good = np.array([0] * 10 + [1])
    assert _returns((7, 9), constraints, np.arange(1, 12), before, good).tolist() == good.tolist()


def test_steering_needs_no_format_of_its_own(index):
    index.merge_clusters([0, 1])
    assert index._store.rows("PRAGMA user_version") == [(2,)]
