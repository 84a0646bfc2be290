"""Seed words and links of an index: given to a fit, kept for the next ones, listed with the constraints, and undone."""

from __future__ import annotations

import pytest

import vicinal
from tests.index.small import documents
from tests.index.test_fit_labels import cluster_of, give, ids, names
from tests.index.test_steering import clusters, number_of, subjects
from vicinal._store import Settings
from vicinal.corpus import Document
from vicinal.errors import BadParameter

WORDS = {"motor": ["engine", "brake"], "plants": ["tulip", "soil"], "food": ["oven", "dough"]}
NAMES = ["alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa", "lambda", "sigma", "omega"]


class TestSeedWords:
    def test_each_class_is_a_cluster_with_its_name_at_this_fit_and_the_next(self, index):
        done = index.fit(seed_words=WORDS)
        before = {index.show(f"{subject}-0").cluster_name: subject for subject in ("cars", "garden", "kitchen")}
        assert before == {"motor": "cars", "plants": "garden", "food": "kitchen"}
        assert "Seed words start 3 clusters." in done.change
        numbers = names(index)
        index.add(documents(range(20, 24)))
        index.fit()
        assert names(index) == numbers

    def test_they_divide_what_words_alone_do_not(self, index):
        index.fit(n_clusters=4, seed_words={"wheels": ["wheel", "brake"], "fuel": ["fuel", "garage"]})
        assert {"wheels", "fuel"} <= set(names(index).values())
        assert subjects(index)[{name: number for number, name in names(index).items()}["fuel"]] == {"cars"}

    def test_they_are_constraints_that_are_listed_replaced_and_undone(self, index):
        index.fit(seed_words={"motor": ["engine", "brake"], "plants": ["tulip"]})
        told = index.constraints()
        assert [str(each) for each in told] == [
            "constraint 1 (seed words of 'motor': brake, engine)",
            "constraint 2 (seed words of 'plants': tulip)",
        ]
        assert (told[0].kind, told[0].name, told[0].words) == ("seed_words", "motor", ("brake", "engine"))
        index.fit(seed_words={"motor": ["fuel"]})
        assert [each.words for each in index.constraints()] == [("fuel",), ("tulip",)]
        assert index.info().n_constraints == 2
        undone = index.undo(1)
        assert (str(undone), undone.notes) == ("constraint 1 (seed words of 'motor': fuel)", ("the next fit does without it.",))
        index.fit()
        assert list(names(index).values()) == ["plants"]
        index.pin_cluster(number_of(index, "cars"))
        assert [each.number for each in index.constraints()] == [2, 3]

    def test_a_class_of_labels_and_of_seed_words_is_one(self, index):
        give(index, dict.fromkeys(ids("cars", range(3)), "motor") | dict.fromkeys(ids("garden", range(3)), "plants"))
        index.fit(use_labels=True, seed_words={"motor": ["engine"], "food": ["oven"]})
        assert sorted(names(index).values()) == ["food", "motor", "plants"]
        assert sorted(map(sorted, subjects(index).values())) == [["cars"], ["garden"], ["kitchen"]]

    @pytest.mark.parametrize(
        ("words", "message"),
        [
            ({"motor": ["zeppelin"]}, r"seed_words\['motor'\] has no known word, got 'zeppelin'"),
            ({"motor": ["oven"], "food": ["oven"]}, r"seed_words have 'oven' for both 'food' and 'motor'"),
            ({"motor": "oven"}, r"seed_words\['motor'\] must be a list of one or more words, got 'oven'"),
            ({"motor": []}, r"seed_words\['motor'\] must be a list"),
            ({7: ["oven"]}, "the classes of seed_words in an index are texts, got 7"),
            (["oven"], "seed_words must be words by the name of their class"),
        ],
    )
    def test_words_that_cannot_start_a_class_are_refused_and_not_kept(self, index, words, message):
        with pytest.raises(BadParameter, match=message):
            index.fit(seed_words=words)
        assert (index.constraints(), index.info().generation) == ([], 1)

    def test_some_unknown_words_are_noted(self, index):
        done = index.fit(seed_words={"motor": ["engine", "zeppelin"]})
        assert [note for note in done.notes if "has 'zeppelin', but no two documents have it as a term" in note]

    def test_kept_words_that_no_document_has_any_more_do_not_stop_a_fit(self, index):
        index.fit(seed_words={"motor": ["engine", "brake"]})
        index.remove(hit for subject in ("cars",) for hit in ids(subject, range(20)))
        done = index.fit()
        assert [note for note in done.notes if "(seed words of 'motor': brake, engine) has no effect" in note]
        assert "motor" not in names(index).values()


class TestLinks:
    def test_linked_documents_are_in_one_cluster_or_in_two_at_every_fit(self, index):
        done = index.fit(must_link=[("cars-0", "kitchen-0")], cannot_link=[("garden-0", "garden-1")])
        assert "Links keep 4 documents together or apart." in done.change
        index.add(documents(range(20, 22)))
        for _ in range(2):
            assert cluster_of(index, "cars-0") == cluster_of(index, "kitchen-0")
            assert cluster_of(index, "garden-0") != cluster_of(index, "garden-1")
            index.fit()
        assert [str(each) for each in index.constraints()] == [
            "constraint 1 ('cars-0' and 'kitchen-0' must be in one cluster)",
            "constraint 2 ('garden-0' and 'garden-1' cannot be in one cluster)",
        ]
        index.undo(1)
        index.undo(2)
        index.fit()
        assert cluster_of(index, "cars-0") != cluster_of(index, "kitchen-0")
        assert cluster_of(index, "garden-0") == cluster_of(index, "garden-1")

    def test_a_pair_is_kept_once_in_any_order(self, index):
        index.fit(must_link=[("cars-0", "kitchen-0"), ("kitchen-0", "cars-0")])
        index.fit(must_link=[("kitchen-0", "cars-0")])
        assert len(index.constraints()) == 1

    def test_what_must_be_with_a_labelled_document_has_its_class(self, index):
        give(index, dict.fromkeys(ids("cars", range(3)), "motor") | dict.fromkeys(ids("kitchen", range(3)), "food"))
        index.fit(use_labels=True, must_link=[("cars-0", "garden-0")])
        assert names(index)[cluster_of(index, "garden-0")] == "motor"

    @pytest.mark.parametrize(
        ("links", "message"),
        [
            ({"must_link": [("cars-0", "nobody")]}, "nobody"),
            ({"must_link": [("cars-0",)]}, r"must_link must be pairs of ids of documents, got \('cars-0',\)"),
            ({"must_link": "cars-0"}, "must_link must be pairs of ids of documents, got 'cars-0'"),
            ({"cannot_link": [("cars-0", "cars-0")]}, "is one document and not two"),
            (
                {"must_link": [("cars-0", "cars-1"), ("cars-1", "cars-2")], "cannot_link": [("cars-0", "cars-2")]},
                "documents 'cars-0' and 'cars-2' are in cannot_link but must_link joins them",
            ),
            (
                {"must_link": [("cars-0", "cars-1")], "cannot_link": [("cars-1", "cars-0")]},
                "documents 'cars-0' and 'cars-1' are in cannot_link but must_link joins them",
            ),
        ],
    )
    def test_links_that_cannot_be_are_refused_and_not_kept(self, index, links, message):
        with pytest.raises(BadParameter, match=message):
            index.fit(**links)
        assert (index.constraints(), index.info().generation) == ([], 1)

    def test_a_pair_that_contradicts_one_that_is_kept_is_refused_with_its_number(self, index):
        index.fit(must_link=[("cars-0", "cars-1")])
        with pytest.raises(BadParameter, match=r"cannot_link of the same documents contradicts constraint 1 .*undo\(1\)"):
            index.fit(cannot_link=[("cars-1", "cars-0")])

    def test_links_that_contradict_labels_are_refused(self, index):
        give(index, {"cars-0": "motor", "kitchen-0": "food", "kitchen-1": "food"})
        with pytest.raises(BadParameter, match=r"must_link joins 'kitchen-0' and 'cars-0'.* in 'food' and 'motor'"):
            index.fit(use_labels=True, must_link=[("cars-0", "kitchen-0")])
        with pytest.raises(BadParameter, match=r"cannot_link keeps 'kitchen-0' and 'kitchen-1' apart, but .* in 'food'"):
            index.fit(use_labels=True, cannot_link=[("kitchen-0", "kitchen-1")])
        assert index.constraints() == []

    def test_links_and_other_constraints_contradict_each_other_whichever_comes_first(self, index):
        index.move_documents(["cars-0"], number_of(index, "kitchen"))
        index.pin_cluster(number_of(index, "garden"))
        with pytest.raises(BadParameter, match=r"constraint 3 \('cars-0' and 'garden-0' .* contradicts constraint 1 .* and con"):
            index.fit(must_link=[("cars-0", "garden-0")])
        index.fit(must_link=[("cars-1", "cars-2")], cannot_link=[("cars-0", "cars-1")])
        with pytest.raises(BadParameter, match=r"'cars-0' and 'cars-1' cannot be in one cluster\) contradicts"):
            index.move_documents(["cars-1"], cluster_of(index, "cars-0"))
        index.undo(4)
        index.move_documents(["cars-1"], cluster_of(index, "cars-0"))

    def test_links_of_removed_documents_are_dropped_with_a_note(self, index):
        index.fit(must_link=[("cars-0", "kitchen-0")], cannot_link=[("garden-0", "garden-1")])
        index.remove(["cars-0"])
        assert str(index.constraints()[0]) == "constraint 1 ('a document that was removed' and 'kitchen-0' must be in one cluster)"
        done = index.fit()
        assert [note for note in done.notes if "must be in one cluster) is dropped: its documents were removed." in note]
        assert [each.number for each in index.constraints()] == [2]

    def test_more_documents_apart_than_clusters_is_an_error_and_auto_makes_enough(self, index):
        some = ids("cars", range(4))
        apart = [(a, b) for i, a in enumerate(some) for b in some[:i]]
        with pytest.raises(BadParameter, match="keeps more documents apart than 3 clusters allow"):
            index.fit(cannot_link=apart)
        index.fit(n_clusters="auto", cannot_link=apart)
        assert len({cluster_of(index, id) for id in some}) == 4

    def test_links_count_beside_a_pin(self, index):
        """Typical documents of other clusters are known to a fit with constraints, and must not contradict links."""
        index.pin_cluster(number_of(index, "cars"))
        garden = [id for id, _ in index.clusters()[0].exemplars]
        kitchen = [id for cluster in index.clusters() for id, _ in cluster.exemplars if id.startswith("kitchen")]
        index.fit(must_link=[(next(id for id in [*garden, "garden-0"] if id.startswith("garden")), kitchen[0])])
        assert len(index.constraints()) == 2


def test_hints_are_in_a_setting_of_their_own_that_older_versions_leave_alone(index):
    index.fit(seed_words={"motor": ["engine"]}, must_link=[("cars-0", "cars-1")])
    assert Settings(index._store).get("constraints") == {"last": 2, "each": []}
    assert [each["kind"] for each in Settings(index._store).get("hints")] == ["seed_words", "must_link"]
    assert sum(map(len, clusters(index).values())) == 60


def test_hints_survive_a_copy_and_a_second_opening(index, tmp_path):
    index.fit(seed_words={"motor": ["engine"]})
    path = index.path
    index.close()
    with vicinal.open(path) as again:
        assert [each.name for each in again.constraints()] == ["motor"]
        assert again.check() == []


class TestNotes:
    """Notes on components: only of those that somebody asked for, and in words of somebody who sees no graph."""

    def test_functions_that_cannot_be_told_apart_are_no_matter_where_the_index_has_fewer_components(self, tmp_path):
        with vicinal.open(tmp_path / "few.vic", create=True) as index:
            index.add([Document(str(n), f"{NAMES[n % 13]} common") for n in range(60)])
            default, more = index.fit(), index.fit(n_components=13)
            one = index.fit(n_components=1)
        assert default.n_components == more.n_components == 12
        assert not any("told apart" in note for note in (*default.notes, *more.notes))
        assert any("components 1 and 2 cannot be told apart" in note for note in one.notes)

    def test_too_many_components_are_noted_in_plain_words(self, index):
        (note,) = (note for note in index.fit(n_components=99).notes if "asked for 99 components" in note)
        assert "documents x" in note
        assert "Graph(" not in note
