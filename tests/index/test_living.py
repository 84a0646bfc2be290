"""Documents come, change and go in a fitted index: what is looked at depends on them alone, and what is kept is the same."""

from __future__ import annotations

import numpy as np
import pytest

import vicinal
from tests.index.small import documents, made
from vicinal import Document
from vicinal._matrix import csr, unit_rows
from vicinal._store import Arrays, Documents, Settings
from vicinal._store.document_changes import Changes
from vicinal.index import _stored
from vicinal.index._documents import embed_new


@pytest.fixture(name="index")
def small_index(tmp_path):
    with vicinal.open(made(tmp_path / "small.vic")) as index:
        yield index


@pytest.fixture(name="looked")
def all_documents_looked_at(monkeypatch):
    """One entry for each time that all documents are looked at."""
    found, where = [], Documents.where

    def spied(self, filters, among=None, derived=None):
        if among is None:
            found.append(filters)
        return where(self, filters, among, derived)

    monkeypatch.setattr(Documents, "where", spied)
    return found


def add(index, folder):
    assert index.add(documents(range(50, 60))).embedded == 30


def replace(index, folder):
    assert index.add([Document("cars-1", "bread and butter"), Document("new", "a rose")]).changed == 1


def update(index, folder):
    assert index.update([Document("cars-3", "bread and butter")]).changed == 1


def remove(index, folder):
    assert index.remove(["cars-1", "garden-2", "kitchen-9"]) == 3


def sync(index, folder):
    assert index.sync(folder, remove=True).added == 3
    (folder / "1.txt").rename(folder / "moved.txt")
    (folder / "2.txt").write_text("a fast car on the road")
    (folder / "3.txt").unlink()
    done = index.sync(folder, remove=True)
    assert (len(done.moved), done.changed, done.removed) == (1, 1, 1)


def nothing(index, folder):
    assert index.add(documents(range(3))).unchanged == 9


ALL = [add, replace, update, remove, sync, nothing]


@pytest.fixture(name="folder")
def small_folder(tmp_path):
    (tmp_path / "files").mkdir()
    for number, text in enumerate(("bread in the oven", "roses and tulips", "salt and flour"), 1):
        (tmp_path / "files" / f"{number}.txt").write_text(text)
    return tmp_path / "files"


def state(index):
    """What was noted, and the same computed from all documents."""
    store = index._store
    noted = Arrays(store).get(_stored.LEFT_BEHIND).tolist()
    with store.writing():
        Arrays(store).drop(_stored.LEFT_BEHIND)
        _stored.keep_current(store)
    return noted, Arrays(store).get(_stored.LEFT_BEHIND).tolist()


@pytest.mark.parametrize("change", ALL)
def test_no_other_document_is_looked_at_and_the_note_is_that_of_all(index, folder, looked, change):
    change(index, folder)
    assert looked == []
    noted, computed = state(index)
    assert noted == computed
    assert looked
    assert index.check() == []


def test_changes_one_after_the_other_are_noted_together(index, folder, looked):
    for change in (nothing, add, replace, update, sync, remove):
        change(index, folder)
    assert looked == []
    noted, computed = state(index)
    assert noted == computed
    assert len(noted) > 4


def test_where_nothing_is_new_nothing_is_written(index):
    noted = index._store.rows("SELECT block FROM blocks WHERE name = ?", (_stored.LEFT_BEHIND,))
    nothing(index, None)
    assert index._store.rows("SELECT block FROM blocks WHERE name = ?", (_stored.LEFT_BEHIND,)) == noted


def waiting(index):
    return index._store.rows(
        "SELECT count(*) FROM documents WHERE generation != ?", (Settings(index._store).get(_stored.MODEL)["generation"],)
    )


def interrupted(index, monkeypatch):
    """Documents are added, and the computer is switched off before they are embedded."""

    def off(*_):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(embed_new, "_embed_batch", off)
        with pytest.raises(KeyboardInterrupt):
            index.add(documents(range(50, 53)))
    assert waiting(index) == [(9,)]


@pytest.mark.parametrize("change", [add, replace, update, sync, nothing])
def test_after_an_interrupt_documents_that_wait_are_embedded_by_the_next_change(index, folder, looked, monkeypatch, change):
    interrupted(index, monkeypatch)
    if change is add:
        assert index.add(documents(range(50, 60))).embedded == 30
    else:
        change(index, folder)
    assert waiting(index) == [(0,)]
    noted, computed = state(index)
    assert noted == computed


def test_after_an_interrupt_and_a_removal_documents_still_wait_and_are_embedded(index, monkeypatch):
    interrupted(index, monkeypatch)
    index.remove(["cars-1"])
    assert waiting(index) == [(9,)]
    assert index.add([Document("one more", "salt")]).embedded == 10


def test_what_another_process_adds_meanwhile_is_embedded_too(index, looked):
    with vicinal.open(index.path) as other:

        def meanwhile():
            yield Document("first", "bread in the oven")
            with other._store.writing():
                Documents(other._store).add([Document("theirs", "a car on the road")])
            yield Document("second", "roses")

        assert index.add(meanwhile()).embedded == 3
    assert looked
    assert waiting(index) == [(0,)]
    noted, computed = state(index)
    assert noted == computed


def test_many_documents_are_embedded_in_batches(index, looked, monkeypatch):
    monkeypatch.setattr(embed_new, "BATCH", 4)
    assert index.add(documents(range(50, 57))).embedded == 21
    assert looked == []
    noted, computed = state(index)
    assert noted == computed


def test_changes_that_are_forgotten_are_noticed(index, looked, monkeypatch):
    """Were a change not followed, the note would be of another state, and all documents are looked at."""
    monkeypatch.setattr(Changes, "followed", lambda *_: __import__("contextlib").nullcontext())
    add(index, None)
    assert looked


def lenders_of(index):
    with index._store.reading():
        return Arrays(index._store).get(_stored.LATER_LENDERS).toarray()


def test_documents_that_come_later_have_their_nearest_documents_as_lenders(index):
    """By the exact neighbours of all terms, which on few documents are those of the rarest."""
    index.add(
        [Document("new", "rose tulip garden flower people"), Document("none", "zeppelin"), Document("last", "oven bread flour")]
    )
    *_, rose, none, bread = lenders_of(index)
    with index._reading() as snapshot:
        counts, numbers = snapshot.rows.counts, snapshot.rows.numbers
        fitted = counts[: _stored.n_fitted_to(index._store)]
        unit = [unit_rows(csr(snapshot.model.vocabulary.bm25.transform(each))) for each in (fitted, counts[-3:])]
    similar = (unit[1] @ unit[0].T).toarray()
    for found, near in ((rose, similar[0]), (bread, similar[2])):
        nearest = np.lexsort((np.arange(len(near)), -near))[:4]  # the fit has four neighbours
        assert np.flatnonzero(found).tolist() == sorted(nearest.tolist())
        np.testing.assert_allclose(found[nearest], near[nearest] / near[nearest].sum(), rtol=1e-5)
    assert not none.any()
    assert len(numbers) == fitted.shape[0] + 6 + 3


def test_lenders_do_not_depend_on_what_comes_with_a_document(index):
    texts = [document.text for document in documents(range(70, 80))]
    assert len(texts) == 30
    index.add(Document(f"together {n}", text) for n, text in enumerate(texts))
    for n, text in enumerate(texts):
        index.add([Document(f"alone {n}", text)])
    found = lenders_of(index)
    assert found[-60:-30].tolist() == found[-30:].tolist()


def test_of_frequent_terms_only_as_many_are_looked_up_as_have_few_entries(index, monkeypatch):
    from vicinal.index._documents import neighbors_of_new

    monkeypatch.setattr(neighbors_of_new, "MOST_ENTRIES", 0)
    index.add([Document("new", "rose people time day"), Document("empty", "zeppelin")])
    rose, empty = lenders_of(index)[-2:]
    assert 0 < np.count_nonzero(rose) <= 4
    assert not empty.any()


def test_an_index_of_an_earlier_version_has_no_lenders_for_later_documents_until_the_next_fit(index):
    with index._store.writing():
        for name in (_stored.NORMS, _stored.LATER_LENDERS):
            Arrays(index._store).drop(name)
    index.add([Document("new", "rose")])
    assert not Arrays(index._store).has(_stored.LATER_LENDERS)
    index.fit()
    index.add([Document("newer", "rose")])
    assert lenders_of(index).shape[0] == 1


def test_a_document_that_comes_later_borrows_the_terms_of_its_lenders_in_search(index):
    index.add([Document("late", "car engine wheel road driver brake")])

    def contributions():
        [hit] = [each for each in index.search("engine garage", by="terms", limit=100) if each.id == "late"]
        return dict(hit.why.top())

    assert contributions()["garage"] > 0
    with index._store.writing():
        Arrays(index._store).drop(_stored.LATER_LENDERS)
    assert contributions().get("garage", 0.0) <= 0
