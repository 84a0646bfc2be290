"""Documents: added once, found by name and number, in their order, whatever they are called."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.store.samples import documents
from vicinal._store import Counts, Documents, Labels, match
from vicinal.corpus import Document
from vicinal.errors import BadData, BadParameter, DamagedIndex

pytestmark = pytest.mark.damages

HOSTILE = [
    "../x",
    "/etc/x",
    "C:\\x",
    "a\0b",
    "\0",
    "x" * 5000,
    "🙂",
    "'; DROP TABLE documents; --",
    '"',
    "%",
    "_",
    "\u202e",
    "CON",
    " ",
]


def test_documents_come_back_as_they_were_added_and_in_their_order(store):
    added = documents(25)
    assert Documents(store).add(added, batch_size=4) == Counts(added=25)
    stored = [each for chunk in Documents(store).chunks(6) for each in chunk]
    assert [each.document for each in stored] == added
    assert [each.number for each in stored] == list(range(1, 26))
    assert Documents(store).count() == 25
    assert Documents(store).numbers().tolist() == list(range(1, 26))


def test_a_document_that_is_there_with_the_same_content_is_left_alone(store):
    Documents(store).add(documents(10))
    Documents(store).set_generation(range(1, 11), 3)
    commits = store.commits()
    assert Documents(store).add(documents(12)) == Counts(added=2, unchanged=10)
    assert [each.generation for each in Documents(store).at(range(1, 13))] == [3] * 10 + [0] * 2
    assert store.commits() == commits + 1
    assert Documents(store).add(documents(12)) == Counts(unchanged=12)
    assert store.commits() == commits + 1


@pytest.mark.parametrize("part", ["text", "title", "source", "label", "metadata"])
def test_another_content_is_counted_and_written_under_the_same_number_if_asked(store, part):
    before = Document("a", "old", "old", "old", "old", {"x": 1})
    changed = {"id": "a", "text": "old", "title": "old", "label": "old", "source": "old", "metadata": {"x": 1}}
    after = Document(**{**changed, part: {"x": 2} if part == "metadata" else "new"})
    held = Documents(store)
    held.add([before, Document("b", "other")])
    assert held.add([after], update=False) == Counts(changed=1)
    assert held.get(["a"]) == [before]
    assert held.add([after]) == Counts(changed=1)
    assert held.get(["a"]) == [after]
    assert held.numbers(["a", "b"]).tolist() == [1, 2]
    assert held.add([after]) == Counts(unchanged=1)


def test_one_name_twice_in_a_batch_is_the_same_as_in_two(store):
    counts = Documents(store).add([Document("a", "one"), Document("a", "one"), Document("a", "two"), Document("b", "x")])
    assert counts == Counts(added=2, unchanged=1, changed=1)
    assert Documents(store).get(["a"])[0].text == "two"


def test_an_interrupted_add_keeps_whole_batches_and_goes_on_where_it_stopped(store):
    def interrupted():
        yield from documents(23)
        raise KeyboardInterrupt

    seen = []
    with pytest.raises(KeyboardInterrupt):
        Documents(store).add(interrupted(), batch_size=5, after_batch=seen.append)
    assert [each.added for each in seen] == [5, 10, 15, 20]
    assert Documents(store).count() == 20
    assert Documents(store).add(documents(30), batch_size=5) == Counts(added=10, unchanged=20)
    assert [each.document for chunk in Documents(store).chunks() for each in chunk] == documents(30)


def test_a_slow_source_keeps_no_writer_waiting(store):
    def slow():
        yield documents(1)[0]
        with store.writing():  # would be refused or joined if the batch had begun its transaction already
            pass
        assert Documents(store).count() == 0
        yield documents(1, 1)[0]

    assert Documents(store).add(slow()).added == 2


def test_removed_documents_are_gone_with_labels_and_words_and_their_numbers_are_not_given_again(store):
    held = Documents(store)
    held.add(documents(10))
    Labels(store).give({10: "x", 1: "y"}, "user")
    assert held.remove(["doc-9", "doc-3", "unknown", "doc-9", "half \ud800"]) == 2
    assert held.count() == 8
    assert 10 not in Labels(store).get()
    assert match(store, "number9")[0].size == 0
    held.add(documents(1, 20))
    assert held.numbers(["doc-20"]).tolist() == [11]


def test_documents_are_given_in_the_order_asked_for(store):
    held = Documents(store)
    held.add(documents(2000))
    names = [f"doc-{i}" for i in np.random.default_rng(0).permutation(2000)]
    assert [each.id for each in held.get(names)] == names
    assert held.get(["doc-3", "doc-3"]) == held.get(["doc-3"]) * 2


def test_a_name_or_number_that_is_not_there_is_said(store):
    Documents(store).add(documents(3))
    with pytest.raises(BadParameter, match=r"2 of 3 ids are not in .*the first is 'x'"):
        Documents(store).get(["doc-1", "x", "\ud800"])
    with pytest.raises(BadParameter, match="no document 9"):
        Documents(store).at([1, 9])


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_names_are_names_like_others(store, tmp_path, name):
    plain = name.replace("\0", "-")
    hostile = Document(name, name, title=name, source=name, label=name, metadata={plain: plain})
    held = Documents(store)
    held.add([*documents(2), hostile])
    assert held.get([name]) == [hostile]
    assert held.where({plain: plain}).tolist() == [3]
    assert held.where({"id": name, "label": name}).tolist() == [3]
    assert held.remove([name]) == 1
    assert held.count() == 2
    assert {path.name for path in tmp_path.iterdir()} <= {"news.vic", "news.vic-wal", "news.vic-shm", "news.vic-commits"}


@pytest.mark.parametrize(
    ("document", "sentence"),
    [
        (Document("", "text"), "must have an id"),
        (Document("a", "half \ud800"), "text of document 'a' holds a lone surrogate"),
        (Document("a\udfff", "x"), "lone surrogate"),
        (Document("a", None), "must be text, got NoneType"),
        (Document(7, "x"), "must be text, got int"),
        (Document("a", "x", metadata={"n": float("nan")}), "metadata 'n' of document 'a' is nan"),
        (Document("a", "x", metadata={"n": 1 << 64}), "more than 64 bits"),
        (Document("a", "x", metadata={"n": [1]}), "got list"),
        (Document("a", "x", metadata={"n": "\ud800"}), "lone surrogate"),
        (Document("a", "x", metadata={3: "x"}), "must be text, got int"),
        (Document("a", "x", metadata={"n": "a\0b"}), "NUL character"),
        (Document("a", "x", metadata={"a\0b": 1}), "NUL character"),
        (Document("a", "x", metadata={"n": "x" * (1 << 21)}), "too long"),
        ("text", "must be of the class Document"),
    ],
)
def test_what_no_file_can_hold_is_refused_and_nothing_of_its_batch_is_kept(store, document, sentence):
    with pytest.raises(BadData, match=sentence):
        Documents(store).add([Document("good", "x"), document])
    assert Documents(store).count() == 0


texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
plain = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=20)
scalars = st.one_of(
    st.none(), st.booleans(), st.integers(-(2**63), 2**63 - 1), st.floats(allow_nan=False, allow_infinity=False), plain
)


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.builds(Document, texts.filter(bool), texts, texts, texts, texts, st.dictionaries(plain, scalars, max_size=4)))
def test_any_document_comes_back_the_same(store, document):
    Documents(store).add([document])
    [back] = Documents(store).get([document.id])
    assert back == document
    assert {name: type(value) for name, value in back.metadata.items()} == {
        name: type(value) for name, value in document.metadata.items()
    }


def test_generations_are_written_beside_documents(store):
    held = Documents(store)
    held.add(documents(6))
    held.set_generation(np.array([2, 3, 5]), 4)
    assert held.where({"generation": 4}).tolist() == [2, 3, 5]
    assert held.where([("generation", "<", 4)]).tolist() == [1, 4, 6]
    assert [each.generation for each in held.at([1, 2])] == [0, 4]


def test_counts_add_up():
    assert Counts(1, 2, 3) + Counts(1, 1, 1) == Counts(2, 3, 4)


def test_a_batch_ends_when_it_has_many_characters(store, monkeypatch):
    monkeypatch.setattr("vicinal._store.batches.BATCH_CHARACTERS", 300)
    seen = []
    Documents(store).add([Document(f"{i}", "x" * 200) for i in range(4)], after_batch=lambda counts: seen.append(counts.seen))
    assert seen == [2, 4]


def test_a_damaged_tree_is_not_walked_in_circles(tmp_path):
    circle = SimpleNamespace(path=tmp_path, rows=lambda statement, values: [(5,), (7,)])
    chunks = Documents(circle).raw_chunks(2, 0)
    assert next(chunks) == [(5,), (7,)]
    with pytest.raises(DamagedIndex, match="not in order of number"):
        next(chunks)
