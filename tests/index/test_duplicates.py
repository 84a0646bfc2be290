"""Documents that say the same: found by words and by texts, with the first that was added to keep."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

import vicinal
from vicinal._store import Documents
from vicinal.corpus import Document
from vicinal.errors import BadParameter

DIGITS = "0 1 2 3"


@pytest.fixture(name="empty")
def unlearnt(tmp_path):
    with vicinal.open(tmp_path / "new.vic", create=True) as index:
        yield index


def ids(groups):
    return [[each.id for each in group.documents] for group in groups]


def edited(document, name, words):
    """A copy with the last words of its text replaced."""
    kept = document.text.split()[: -len(words)]
    return replace(document, id=name, text=" ".join([*kept, *words]))


class TestWords:
    def test_documents_that_differ_are_no_copies(self, index):
        assert index.duplicates(0.999) == []

    def test_exact_and_edited_copies_are_found_with_the_first_to_keep(self, index, documents):
        one, two = documents[0], documents[1]
        index.add([replace(one, id="again"), edited(one, "edited", ["people"]), replace(two, id="twice")])
        first, second = index.duplicates(0.95)
        assert ids([first, second]) == [[one.id, "again", "edited"], [two.id, "twice"]]
        assert first.kept.id == one.id
        assert [each.similarity for each in first.documents[:2]] == [1.0, 1.0]
        assert 0.95 <= first.documents[2].similarity < 1.0
        assert (first.removable, second.removable) == (("again", "edited"), ("twice",))
        assert (first.kept.title, first.kept.source) == (one.title, one.source)

    def test_likeness_is_the_cosine_of_the_words_and_every_pair_of_it_is_joined(self, index):
        least = 0.8
        with index._store.reading():
            snapshot = index._cache.state()
        cosines = (snapshot.unit_terms @ snapshot.unit_terms.T).toarray()
        names = [each.document.id for each in Documents(index._store).at(snapshot.rows.numbers)]
        place = {name: row for row, name in enumerate(names)}
        groups = index.duplicates(least)
        group_of = {id: number for number, group in enumerate(ids(groups)) for id in group}
        pairs = np.argwhere(np.triu(cosines >= least, 1))
        assert len(pairs) > 3
        assert {names[row] for row in pairs.ravel()} == set(group_of)
        assert all(group_of[names[i]] == group_of[names[j]] for i, j in pairs)
        for group in groups:
            assert place[group.kept.id] == min(place[each.id] for each in group.documents)
            for each in group.documents[1:]:
                assert each.similarity == pytest.approx(cosines[place[group.kept.id], place[each.id]], abs=1e-10)

    def test_groups_come_by_size_and_then_by_their_first_document(self, index, documents):
        index.add([replace(documents[number], id=f"copy {number} {turn}") for number, turn in ((5, 0), (3, 0), (7, 0), (7, 1))])
        found = index.duplicates(0.99)
        assert [group.kept.id for group in found] == [documents[number].id for number in (7, 3, 5)]
        assert found[:2] == index.duplicates(0.99, limit=2)

    def test_the_copy_of_a_copy_is_in_the_group_and_not_spare(self, index, documents):
        words = documents[0].text.split()
        step = [Document("a", " ".join(words)), Document("b", " ".join([*words[:-3], "salt", "oven", "soil"]))]
        step.append(Document("c", " ".join(["tulip", "root", "leaf", *words[3:-3], "salt", "oven", "soil"])))
        index.add(step)
        with index._store.reading():
            rows = index._cache.state().unit_terms[-3:]
        near, far = (rows[[0]] @ rows[[1]].T).toarray().item(), (rows[[0]] @ rows[[2]].T).toarray().item()
        last = (rows[[1]] @ rows[[2]].T).toarray().item()
        least = min(near, last)
        assert far < least
        [group] = [each for each in index.duplicates(least) if "c" in {copy.id for copy in each.documents}]
        alike = {copy.id: copy.similarity for copy in group.documents}
        assert {"a", "b", "c"} <= set(alike)
        assert "c" not in group.removable
        assert alike["c"] < least
        assert [copy.similarity for copy in group.documents[1:]] == sorted(alike.values(), reverse=True)[1:]

    def test_after_what_is_spare_is_removed_the_kept_ones_stand_alone(self, index, documents):
        index.add([replace(each, id=f"{each.id} again") for each in documents[:9]])
        spare = [id for group in index.duplicates(0.99) for id in group.removable]
        assert sorted(spare) == sorted(f"{each.id} again" for each in documents[:9])
        assert index.remove(spare) == 9
        assert index.duplicates(0.99) == []

    @pytest.mark.parametrize(("least", "limit"), [(0, None), (1.5, None), ("0.9", None), (0.9, 0), (0.9, 1.5)])
    def test_what_cannot_be_meant_is_refused(self, index, empty, least, limit):
        for each in (index, empty):
            with pytest.raises(BadParameter, match=r"(threshold|limit) must be"):
                each.duplicates(least, limit)


class TestTexts:
    def test_before_a_fit_the_same_text_is_found_however_its_lines_are_broken(self, empty):
        empty.add([Document("a", "red  rose\n"), Document("b", "red wine"), Document("c", " red\nrose")])
        [group] = empty.duplicates()
        assert ids([group]) == [["a", "c"]]
        assert (group.documents[1].similarity, group.removable) == (1.0, ("c",))

    def test_an_index_without_documents_has_no_copies(self, empty):
        assert empty.duplicates() == []

    def test_texts_without_a_known_word_are_found_and_others_of_them_are_not(self, index):
        index.add([Document("one", DIGITS), Document("two", DIGITS), Document("three", "4 5 6")])
        with index._store.reading():
            assert np.diff(index._cache.state().unit_terms.indptr)[-3:].tolist() == [0, 0, 0]
        assert ids(index.duplicates(0.99)) == [["one", "two"]]

    def test_files_that_are_known_by_their_name_alone_are_duplicates_by_their_text(self, empty):
        texts = {"first.txt": "first", "sub/second.txt": "second", "third.txt": "Another title"}
        empty.add([Document(id, "the harvest of wheat", title=title) for id, title in texts.items()])
        assert ids(empty.duplicates()) == [["first.txt", "sub/second.txt"]]

    def test_a_title_counts_unless_it_is_the_name_of_the_file(self, empty):
        empty.add([Document(f"file {n}", "rose", f"{n}", source=f"notes/{n}.txt") for n in "ab"])
        empty.add([Document(f"row {n}", "no abstract", f"On {n}", source="papers.csv") for n in "ab"])
        assert ids(empty.duplicates()) == [["file a", "file b"]]

    def test_documents_that_say_nothing_are_copies_of_nobody(self, empty):
        empty.add([Document("a", ""), Document("b", " \n"), Document("c", "", "")])
        assert empty.duplicates() == []

    def test_copies_of_files_are_found_though_their_names_are_other_words(self, index):
        index.add([Document(n, "rose soil", n, source=f"notes/{n}.txt") for n in ("bread", "engine")])
        with index._store.reading():
            rows = index._cache.state().unit_terms[-2:]
        assert (rows[[0]] @ rows[[1]].T).toarray().item() < 0.9
        [group] = index.duplicates(0.99)
        assert [(each.id, each.similarity) for each in group.documents] == [("bread", 1.0), ("engine", 1.0)]

    def test_documents_that_wait_for_their_place_are_found_by_their_text(self, index, documents):
        one = documents[4]
        index.add([edited(one, "edited", ["people"])])
        Documents(index._store).add([replace(one, id="waiting"), edited(one, "waiting too", ["people"])])
        assert index.info().unembedded == 2
        [group] = index.duplicates(0.95)
        assert ids([group])[0][:2] == [one.id, "waiting"]
        alike = {each.id: each.similarity for each in group.documents}
        assert alike["waiting too"] == alike["edited"] < 1.0
        assert set(group.removable) == {"waiting", "edited", "waiting too"}

    def test_answers_can_be_written_as_json(self, index, documents):
        index.add([replace(documents[0], id="again")])
        [group] = index.duplicates(0.99)
        assert json.loads(json.dumps([vars(each) for each in group.documents]))[1]["id"] == "again"
