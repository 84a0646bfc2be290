"""Labels shape the clusters of an index where that is asked for: each class is a cluster that keeps its number and its name."""

from __future__ import annotations

import random

import pytest

import vicinal
from tests.index.small import document, documents
from tests.index.test_steering import clusters, number_of, subjects
from vicinal._store import Documents, Labels, Settings
from vicinal.errors import BadLabels, BadParameter
from vicinal.index import Recipe


def cluster_of(index, id):
    return index.show(id).cluster


def names(index):
    return {cluster.number: cluster.name for cluster in index.clusters() if cluster.named}


def ids(subject, numbers):
    return [f"{subject}-{number}" for number in numbers]


def give(index, labels):
    """Give labels without fitting a classifier to them, which takes time and is not what is tested."""
    numbers = Documents(index._store).numbers(list(labels))
    Labels(index._store).give(dict(zip(numbers.tolist(), labels.values(), strict=True)), "given")


SUBJECT = {each.id: each.id.partition("-")[0] for each in documents(range(20))}
#: What words alone do not find: flowers and cars are one class, and bread is divided.
OUTDOOR = {id: "outdoor" for subject in ("cars", "garden") for id in ids(subject, range(5))}
INDOOR = dict.fromkeys(ids("kitchen", range(5)), "indoor")


class TestEachClassIsACluster:
    def test_labels_shape_the_clusters_and_name_them(self, index):
        index.label(OUTDOOR | INDOOR)
        done = index.fit(n_clusters=2, use_labels=True)
        number = {name: number for number, name in names(index).items()}
        assert sorted(number) == ["indoor", "outdoor"]
        assert subjects(index) == {number["indoor"]: {"kitchen"}, number["outdoor"]: {"cars", "garden"}}
        assert "15 labels hold their documents in the clusters of 2 classes." in done.change

    def test_without_it_they_do_not_and_a_note_says_so_until_somebody_has_decided(self, index):
        give(index, OUTDOOR | INDOOR)
        before = clusters(index)
        done = index.fit()
        assert clusters(index) == before
        assert [note for note in done.notes if "the labels of 15 documents, of 2 classes, do not shape the clusters" in note]
        assert not [note for note in index.fit(use_labels=False).notes if "do not shape" in note]
        assert not [note for note in index.fit().notes if "do not shape" in note]

    def test_it_is_remembered_and_documents_that_come_later_join_the_classes(self, index):
        give(index, OUTDOOR | INDOOR)
        index.fit(n_clusters=2, use_labels=True)
        before = names(index)
        index.add(documents(range(20, 30)))
        done = index.fit()
        assert (names(index), index.info().options["use_labels"]) == (before, True)
        assert done.change.startswith("2 clusters continue; 0 documents changed cluster.")
        assert sorted(map(len, clusters(index).values())) == [30, 60]

    def test_a_labelled_document_is_in_the_cluster_of_its_class_whatever_its_words_say(self, index):
        give(index, OUTDOOR | INDOOR | {"cars-7": "indoor"})
        index.fit(n_clusters=2, use_labels=True)
        assert cluster_of(index, "cars-7") == cluster_of(index, "kitchen-0") != cluster_of(index, "cars-8")

    def test_more_clusters_than_classes_find_what_else_there_is(self, index):
        give(index, dict.fromkeys(ids("cars", range(3)), "motor") | dict.fromkeys(ids("garden", range(3)), "plants"))
        index.fit(n_clusters=3, use_labels=True)
        assert sorted(names(index).values()) == ["motor", "plants"]
        assert sorted(map(sorted, subjects(index).values())) == [["cars"], ["garden"], ["kitchen"]]

    def test_fewer_clusters_than_classes_are_raised_to_their_number_with_a_note(self, index):
        give(index, SUBJECT)
        done = index.fit(n_clusters=2, use_labels=True)
        assert done.n_clusters == 3
        assert [note for note in done.notes if "asked for 2 clusters but there are 3: each class is a cluster" in note]

    def test_labels_that_documents_were_read_with_count_at_the_first_fit(self, tmp_path):
        with vicinal.open(tmp_path / "read.vic", create=True) as index:
            index.add(
                vicinal.Document(each.id, each.text, label=(OUTDOOR | INDOOR).get(each.id, "")) for each in documents(range(20))
            )
            done = index.fit(n_clusters=2, use_labels=True)
            assert sorted(names(index).values()) == ["indoor", "outdoor"]
            assert done.change == "15 labels hold their documents in the clusters of 2 classes."


class TestNumbersLast:
    def test_a_class_continues_the_cluster_that_it_shares_most_with(self, index):
        old = {subject: number_of(index, subject) for subject in ("cars", "garden", "kitchen")}
        give(index, {id: id.partition("-")[0] for subject in old for id in ids(subject, range(2))})
        index.fit(use_labels=True)
        assert names(index) == {number: subject for subject, number in old.items()}

    def test_a_small_class_of_a_large_cluster_leaves_number_and_name_to_the_rest(self, index):
        cars = number_of(index, "cars")
        index.name_cluster(cars, "Motoring")
        few = ids("cars", range(4))
        index.update([vicinal.Document(id, "fuel garage fuel garage fuel car") for id in few])
        give(index, dict.fromkeys(few, "fuel"))
        index.fit(n_clusters=4, use_labels=True)
        assert names(index)[cars] == "Motoring"
        assert len(clusters(index)[cars]) > len(clusters(index)[cluster_of(index, "cars-0")]) >= 4
        assert names(index)[cluster_of(index, "cars-0")] == "fuel"

    def test_a_name_that_somebody_gave_stays_and_a_note_tells_which_class_it_is(self, index):
        cars = number_of(index, "cars")
        index.name_cluster(cars, "Motoring")
        give(index, SUBJECT)
        done = index.fit(use_labels=True)
        assert names(index)[cars] == "Motoring"
        assert f"class 'cars' is cluster {cars}, which is named 'Motoring'." in done.notes

    def test_a_class_that_is_renamed_renames_its_cluster(self, index):
        give(index, SUBJECT)
        index.fit(use_labels=True)
        cars = number_of(index, "cars")
        give(index, dict.fromkeys(clusters(index)[cars], "motor"))
        index.fit()
        assert names(index)[cars] == "motor"
        assert sorted(names(index).values()) == ["garden", "kitchen", "motor"]

    def test_names_of_classes_go_with_the_use_of_labels(self, index):
        give(index, SUBJECT)
        index.name_cluster(number_of(index, "garden"), "Flowers")
        index.fit(use_labels=True)
        index.fit(use_labels=False)
        assert list(names(index).values()) == ["Flowers"]
        assert Settings(index._store).get("class clusters") == {}

    def test_a_label_of_many_lines_makes_a_name_of_one(self, index):
        give(index, dict.fromkeys(ids("cars", range(5)), "motor\nand  more\x07") | INDOOR)
        index.fit(use_labels=True)
        assert "motor and more\N{REPLACEMENT CHARACTER}" in names(index).values()


class TestConstraintsCountMore:
    @pytest.fixture(name="index")
    def labelled(self, index):
        give(index, {id: subject for subject in ("cars", "garden", "kitchen") for id in ids(subject, range(5))})
        index.fit(use_labels=True)
        return index

    def test_a_merge_makes_the_clusters_of_two_classes_one_until_it_is_undone(self, index):
        cars, garden = number_of(index, "cars"), number_of(index, "garden")
        merge = index.merge_clusters([cars, garden])
        for _ in range(2):
            index.fit()
            assert subjects(index)[cars] == {"cars", "garden"}
        index.undo(merge.number)
        index.fit()
        assert subjects(index) | {cars: {"cars"}, garden: {"garden"}} == subjects(index)
        assert (names(index)[cars], names(index)[garden]) == ("cars", "garden")

    def test_clusters_that_were_merged_before_there_were_labels_stay_one(self, tmp_path, file):
        copy = tmp_path / "merged.vic"
        copy.write_bytes(file.read_bytes())
        with vicinal.open(copy) as index:
            cars = number_of(index, "cars")
            index.merge_clusters([cars, number_of(index, "garden")])
            give(index, SUBJECT)
            done = index.fit(use_labels=True)
            assert subjects(index)[cars] == {"cars", "garden"}
            assert (done.n_clusters, f"class 'garden' is cluster {cars}, which is named 'cars'." in done.notes) == (2, True)

    def test_a_moved_document_stays_where_it_was_moved(self, index):
        index.move_documents(["cars-0"], number_of(index, "kitchen"))
        done = index.fit()
        assert cluster_of(index, "cars-0") == cluster_of(index, "kitchen-0")
        assert "1 labelled document stays in the cluster that constraints hold it in, not in that of the label." in done.notes

    def test_the_parts_of_a_class_that_was_split_stay_apart(self, index):
        cars = number_of(index, "cars")
        split = index.split_cluster(cars, 2)
        parts = {number: clusters(index)[number] for number in split.clusters}
        index.fit()
        found = clusters(index)
        for number, inside in parts.items():
            assert len(found[number] & inside) > len(inside) / 2

    def test_a_pinned_cluster_keeps_the_documents_of_another_class(self, index):
        garden = number_of(index, "garden")
        index.pin_cluster(garden)
        give(index, {"garden-7": "cars"})
        done = index.fit()
        assert cluster_of(index, "garden-7") == garden
        assert [note for note in done.notes if "1 labelled document stays" in note]

    def test_a_class_whose_documents_are_all_held_elsewhere_has_no_cluster_and_a_note(self, index):
        index.pin_cluster(number_of(index, "garden"))
        give(index, {"garden-7": "odd", "garden-8": "odd"})
        done = index.fit()
        assert "class 'odd' has no cluster of its own: constraints hold all its documents elsewhere." in done.notes
        assert "odd" not in names(index).values()

    def test_a_new_class_in_a_cluster_with_constraints_is_that_cluster(self, tmp_path, file):
        copy = tmp_path / "pinned.vic"
        copy.write_bytes(file.read_bytes())
        with vicinal.open(copy) as index:
            cars = number_of(index, "cars")
            index.pin_cluster(cars)
            give(index, SUBJECT)
            index.fit(use_labels=True)
            assert (names(index)[cars], subjects(index)[cars]) == ("cars", {"cars"})


class TestLabelsAfterwards:
    def test_a_document_that_is_added_or_changed_with_a_label_joins_its_class(self, index):
        give(index, OUTDOOR | INDOOR)
        index.fit(n_clusters=2, use_labels=True)
        bread = document("kitchen", 99)
        index.add([vicinal.Document("odd", bread.text, label="outdoor"), vicinal.Document("even", bread.text)])
        assert cluster_of(index, "odd") == cluster_of(index, "cars-0")
        assert cluster_of(index, "even") == cluster_of(index, "kitchen-0")
        index.fit(use_labels=False)
        index.update([vicinal.Document("odd", f"{bread.text} dough", label="outdoor")])
        assert cluster_of(index, "odd") == cluster_of(index, "even")

    def test_a_labelled_document_is_not_listed_as_uncertain(self, index):
        give(index, OUTDOOR | INDOOR | {"cars-7": "indoor"})
        assert "cars-7" in {each.id for each in index.uncertain(100)}
        index.fit(n_clusters=2, use_labels=True)
        assert not {each.id for each in index.uncertain(100)} & {"cars-7", *OUTDOOR}

    def test_labels_that_are_gone_do_not_stop_a_fit_that_remembers_them(self, index):
        give(index, OUTDOOR | INDOOR)
        index.fit(n_clusters=2, use_labels=True)
        index.remove([*OUTDOOR, *INDOOR])
        assert index.fit().n_clusters == 2

    def test_to_ask_for_labels_where_there_are_none_is_an_error_and_changes_nothing(self, index):
        before = index.info()
        with pytest.raises(BadLabels, match=r"no document of .* has a label that clusters could follow"):
            index.fit(use_labels=True)
        assert index.info() == before

    def test_a_labelled_document_without_terms_has_no_cluster_and_a_note(self, index):
        index.add([vicinal.Document("empty", "  ", label="outdoor")])
        give(index, OUTDOOR | INDOOR)
        done = index.fit(n_clusters=2, use_labels=True)
        assert cluster_of(index, "empty") == -1
        assert [note for note in done.notes if note.startswith("1 labelled document has no terms")]

    def test_what_is_no_choice_is_refused(self):
        with pytest.raises(BadParameter, match="use_labels must be True or False, got 'yes'"):
            Recipe(use_labels="yes").checked()


def test_accuracy_on_documents_without_a_label_rises_with_the_number_of_labels(tmp_path):
    """Subjects are mixed in each document, so that words alone find other clusters than the classes."""
    chance, subjects_of, words = random.Random(3), ["cars", "garden", "kitchen"], {}
    for each in documents(range(40)):
        words.setdefault(each.id.partition("-")[0], []).append(each.text.split())
    texts, classes = [], []
    for _ in range(120):
        own, other = chance.sample(subjects_of, 2)
        texts.append(" ".join([*chance.choices(chance.choice(words[own]), k=7), *chance.choices(chance.choice(words[other]), k=6)]))
        classes.append(own)
    found = {}
    for n in (1, 12):
        with vicinal.open(tmp_path / f"{n}.vic", create=True) as index:
            index.add(vicinal.Document(str(i), text) for i, text in enumerate(texts))
            index.fit(n_clusters=3)
            known = [i for own in subjects_of for i in [j for j, each in enumerate(classes) if each == own][:n]]
            give(index, {str(i): classes[i] for i in known})
            index.fit(use_labels=True)
            number = {name: number for number, name in names(index).items()}
            free = [i for i in range(120) if i not in known]
            found[n] = sum(cluster_of(index, str(i)) == number[classes[i]] for i in free) / len(free)
    assert found[12] > found[1] + 0.05
    assert found[12] > 0.5
