"""What an index holds, and what is left when documents go: counts are of the file, and nothing that was removed is damage."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import vicinal
from tests.index.small import document, documents, made
from vicinal._store import Arrays
from vicinal.errors import BadParameter, DamagedIndex, IndexLocked
from vicinal.index._stored import UNCERTAINTY, consistent


@pytest.fixture(name="index")
def small_index(tmp_path):
    with vicinal.open(made(tmp_path / "small.vic", n=6, added=0)) as index:
        yield index


def test_counts_of_the_file_are_those_of_what_is_loaded(index):
    index.add(documents([6]))
    index.remove(["cars-0", "garden-6"])
    snapshot, info = index._cache.state(), index.info()
    assert (info.documents, info.fitted, info.embedded, info.unembedded) == (19, 17, 2, 0)
    assert info.fitted + info.embedded == len(snapshot.rows.numbers)
    assert (info.n_terms, info.n_components) == (len(snapshot.model.vocabulary.forms), snapshot.model.projection.n_components)
    assert (info.n_clusters, info.generation) == (snapshot.model.n_clusters, snapshot.model.generation)


def test_the_doubt_of_a_changed_document_is_among_those_placed_since(index):
    index.add([replace(document("cars", 0), text="people time day house work good")])
    arrays = Arrays(index._store)
    uncertainty = arrays.get(UNCERTAINTY)
    info = index.info()
    assert (info.fitted, info.embedded) == (17, 1)
    assert info.uncertainty_of_new == pytest.approx(float(uncertainty[-1]))
    assert info.uncertainty == pytest.approx(float(np.mean(uncertainty[1:-1])))


def test_documents_without_known_words_are_counted_and_say_nothing_of_how_well_others_fit(index):
    index.add(documents([6]))
    before = index.info()
    index.add([replace(document("cars", 7), text=text, title="", id=text or "empty") for text in ("", "!?", "the of and", "zzz")])
    info = index.info()
    assert (before.without_terms, info.without_terms, info.embedded) == (0, 4, 7)
    assert (info.uncertainty, info.uncertainty_of_new) == (before.uncertainty, before.uncertainty_of_new)
    assert all(index.near(each) == [] for each in ("empty", "!?", "the of and", "zzz"))


def test_a_fit_names_the_first_document_without_a_place(index):
    assert not any("not embedded" in note for note in index.fit().notes)
    index.add([replace(document("cars", 7), text=text, title="", id=text) for text in ("the of and", "!?")])
    [note] = [note for note in index.fit().notes if "not embedded" in note]
    assert note.startswith("2 of 20 documents have no terms")
    assert note.endswith("the first is 'the of and'.")


def test_an_index_whose_documents_were_all_removed_is_empty_and_not_damaged(index):
    index.remove([each.id for each in documents(range(6))])
    assert index.search("bread") == []
    assert [cluster.size for cluster in index.clusters()] == [0, 0, 0]
    assert index.info().documents == 0
    assert index.check() == []
    assert index.add(documents([7])).embedded == 3
    assert index.search("bread")


def test_a_fit_goes_on_when_the_labelled_documents_were_removed(index):
    index.add(documents(range(6, 12)))
    index.remove([each.id for each in documents(range(6))])
    assert index.fit().n_documents == 18
    with pytest.raises(BadParameter, match="has no classes yet"):
        index.classify(["bread"])
    assert index.check() == []


def test_a_lock_is_no_damage_and_what_does_not_fit_together_is(index):
    with pytest.raises(IndexLocked), consistent(index._store):
        raise IndexLocked("another writes")
    for error in (KeyError("generation"), TypeError("no number"), BadParameter("no such array")):
        with pytest.raises(DamagedIndex, match="not complete"), consistent(index._store):
            raise error


def test_the_options_of_the_last_fit_are_told(tmp_path):
    with vicinal.open(tmp_path / "options.vic", create=True) as index:
        assert index.info().options == {}
        index.add(documents(range(4)))
        index.fit(n_clusters=3, n_components=4, n_neighbors=4, random_state=7)
        assert index.info().options == vars(vicinal.index.Recipe(3, 4, 4, random_state=7))
