"""An index from end to end: what is added is found, what is learnt lasts, what is changed is seen."""

from __future__ import annotations

import math
import os
from dataclasses import replace

import numpy as np
import pytest

import vicinal
from vicinal._progress import silent
from vicinal._store import Documents
from vicinal.corpus import Document
from vicinal.errors import BadParameter, DamagedPart, EmptyCorpus, NotAnIndex, TooFewDocuments
from vicinal.index import Added
from vicinal.index._fit.fit_index import _Texts
from vicinal.index._model import fit_vocabulary


@pytest.fixture(name="empty")
def unlearnt(tmp_path):
    with vicinal.open(tmp_path / "new.vic", create=True) as index:
        yield index


class TestAdding:
    def test_documents_are_counted_and_a_second_time_left_alone(self, empty, documents):
        assert empty.add(documents) == Added(added=60, changed=0, unchanged=0, embedded=0)
        assert empty.add(documents).unchanged == 60
        assert len(empty) == 60

    def test_progress_says_how_many_are_safe(self, empty, documents):
        said = []
        empty.add(documents, progress=lambda *step: said.append(step))
        assert said == [("add", 60, 0)]

    def test_progress_says_how_many_have_their_place(self, index):
        said = []
        index.add([Document("late", "oven bread dough flour")], progress=lambda *step: said.append(step))
        assert said == [("add", 1, 0), ("embed", 0, 1)]

    def test_a_word_that_came_since_the_fit_finds_its_documents_and_says_so(self, index):
        index.add([Document("late", "a zeppelin above the oven"), Document("later", "the zeppelin, and 1937 once more 1937")])
        hits = index.search("zeppelin dough")
        assert {"late", "later"} < {hit.id for hit in hits}
        of = {hit.id: hit.why for hit in hits}
        assert dict(zip(of["late"].terms, of["late"].parts, strict=True))["zeppelin"] > 0
        assert hits[0].score == pytest.approx(sum(hits[0].why.parts))
        assert [hit.id for hit in index.search("1937")] == ["later"]
        assert index.search("zeppelin", by="embedding") == []
        assert index.search("neverseen") == []

    @pytest.mark.parametrize("choice", [{"n_clusters": 61}, {"n_neighbors": 60}])
    def test_more_than_there_are_documents_is_refused_before_anything_is_read(self, empty, documents, choice):
        said = []
        empty.add(documents)
        with pytest.raises(TooFewDocuments, match="holds 60 documents"):
            empty.fit(**choice, progress=lambda *step: said.append(step))
        assert said == []

    def test_more_dimensions_than_there_are_is_noted_to_who_asked_for_them(self, empty, documents):
        empty.add(documents)
        assert not [note for note in empty.fit(n_clusters=3).notes if "asked for" in note]
        assert [note for note in empty.fit(n_components=90).notes if "asked for 90 components" in note]

    def test_meaning_is_not_looked_for_before_something_was_learnt(self, empty, documents):
        empty.add(documents)
        with pytest.raises(TooFewDocuments, match="by embedding"):
            empty.search("bread", by="embedding")

    def test_learning_says_each_step(self, empty, documents):
        said = []
        empty.add(documents)
        empty.fit(n_clusters=3, progress=lambda *step: said.append(step))
        assert said == [
            ("terms", 0, 60),
            ("embedding", 0, 0),
            ("clusters", 0, 0),
            ("embed", 0, 0),
            ("layout", 0, 0),
            ("save", 0, 0),
        ]

    def test_new_documents_are_placed_at_once_and_found(self, index):
        done = index.add([Document("late", "oven bread dough flour", "late")])
        assert (done.added, done.embedded) == (1, 1)
        assert "late" in [hit.id for hit in index.search("bread dough", 5)]
        assert index.info().embedded == 1

    def test_a_changed_document_is_found_by_its_new_words_alone(self, index, documents):
        before = next(each for each in documents if each.id == "cars-3")
        assert index.add([replace(before, text="oven bread dough flour bake")]).changed == 1
        found = {hit.id: hit for hit in index.search("bread dough oven", 30)}
        assert "cars-3" in found
        assert found["cars-3"].cluster == found["kitchen-1"].cluster
        assert index.info().embedded == 1

    def test_update_refuses_what_is_not_there(self, index):
        with pytest.raises(BadParameter, match="not in"):
            index.update([Document("nobody", "text")])
        assert len(index) == 60

    def test_removed_documents_are_found_no_more(self, index):
        assert index.remove(["garden-1", "garden-2", "nobody"]) == 2
        assert not {"garden-1", "garden-2"} & {hit.id for hit in index.search("rose garden", 60)}
        assert (index.info().documents, index.info().fitted) == (58, 58)
        assert sum(cluster.size for cluster in index.clusters()) == 58


class TestLearning:
    def test_an_empty_index_and_a_tiny_one_are_refused_and_stay_usable(self, empty):
        with pytest.raises(EmptyCorpus, match="holds no documents"):
            empty.fit()
        empty.add([Document("a", "red rose"), Document("b", "red wine")])
        with pytest.raises(TooFewDocuments, match="at least 4 documents, got 2"):
            empty.fit()
        assert [hit.id for hit in empty.search("wine")] == ["b"]

    def test_a_parameter_that_cannot_be_is_named(self, index):
        with pytest.raises(TypeError, match="unexpected keyword argument 'topic'"):
            index.fit(topic=3)
        with pytest.raises(BadParameter, match='n_clusters must be a whole number or "auto"'):
            index.fit(n_clusters="many")

    def test_choices_last_until_others_are_made(self, index):
        assert index.fit().n_clusters == 3
        assert index.fit(n_clusters=4, n_components=4).n_components == 4
        assert index.fit().n_clusters == 4

    def test_clusters_are_the_subjects(self, index):
        clusters = index.clusters()
        assert [cluster.size for cluster in clusters] == [20, 20, 20]
        for cluster in clusters:
            assert len({id.partition("-")[0] for id, _ in cluster.exemplars}) == 1
            assert cluster.name == ", ".join(word for word, _ in cluster.terms[:3])
            assert 0 <= cluster.uncertainty <= 1

    def test_numbers_of_clusters_last_over_a_refit(self, index, documents):
        before = {cluster.name: cluster.number for cluster in index.clusters()}
        index.add([replace(each, id=f"{each.id} again") for each in documents if each.id.startswith("kitchen")])
        done = index.fit()
        assert done.change == "3 clusters continue; 0 documents changed cluster."
        kitchen = index.clusters()[0]
        assert kitchen.size == 40
        assert kitchen.number in before.values()
        found = {hit.id: hit.cluster for hit in index.search("bread", 5)}
        assert set(found.values()) == {kitchen.number}

    def test_a_refit_of_the_same_documents_is_the_same(self, index):
        before = [(hit.id, hit.score) for hit in index.search("rose garden", 10)]
        index.fit()
        assert [(hit.id, hit.score) for hit in index.search("rose garden", 10)] == before

    def test_what_was_placed_is_placed_as_by_a_fresh_process(self, index, file):
        again = vicinal.open(index.path)
        for question in ("bread", "engine of a car"):
            assert [(h.id, h.score) for h in again.search(question)] == [(h.id, h.score) for h in index.search(question)]
        again.close()


class TestAsking:
    @pytest.mark.parametrize("by", ["both", "terms", "embedding"])
    def test_the_subject_that_is_asked_for_is_found(self, index, by):
        hits = index.search("bake bread in the oven", 10, by=by)
        assert len(hits) == 10
        assert {hit.id.partition("-")[0] for hit in hits} == {"kitchen"}

    def test_every_score_is_the_sum_of_what_its_words_added(self, index):
        for hit in index.search("rose water in the garden", 10):
            assert math.fsum(hit.why.parts) == pytest.approx(hit.score)
        for hit in index.near("cars-1", 10):
            assert math.fsum(hit.why.parts) == pytest.approx(hit.score)

    def test_scores_fall_and_snippets_show_the_words(self, index):
        hits = index.search("rose", 10)
        assert np.all(np.diff([hit.score for hit in hits]) <= 0)
        assert "[rose]" in hits[0].snippet

    def test_filters_on_metadata_hold(self, index):
        hits = index.search("bread", 60, where={"year": 1995})
        assert [hit.id for hit in hits] == ["kitchen-5"]
        assert all(hit.metadata["year"] >= 2005 for hit in index.search("car", 60, where=[("year", ">=", 2005)]))
        with pytest.raises(BadParameter, match="colour"):
            index.search("car", where={"colour": "red"})

    def test_words_that_nobody_has_find_nothing(self, index):
        assert index.search("zzz qqq") == []
        assert index.search("?!") == []

    def test_near_a_document_are_those_of_its_subject_and_not_itself(self, index):
        hits = index.near("garden-4", 8)
        assert {hit.id.partition("-")[0] for hit in hits} == {"garden"}
        assert "garden-4" not in {hit.id for hit in hits}

    def test_a_copy_is_as_near_as_can_be(self, index, documents):
        index.add([replace(next(each for each in documents if each.id == "cars-3"), id="copy")])
        best = index.near("copy", 1)[0]
        assert best.id == "cars-3"
        assert best.score == pytest.approx(1.0, abs=1e-6)

    def test_near_nobody_is_said(self, index):
        with pytest.raises(BadParameter, match="not in"):
            index.near("nobody")

    def test_before_the_first_fit_there_are_words(self, empty, documents):
        empty.add(documents)
        assert {hit.id.partition("-")[0] for hit in empty.search("bread oven", 5)} == {"kitchen"}
        assert empty.clusters() == []
        assert empty.near("cars-1") == []
        assert empty.info().unembedded == 60


class TestLasting:
    def test_info_says_what_there_is(self, index):
        info = index.info()
        assert (info.documents, info.fitted, info.embedded, info.unembedded) == (60, 60, 0, 0)
        assert (info.n_clusters, info.n_components) == (3, 5)
        assert info.bytes == os.path.getsize(index.path)

    def test_a_fresh_index_is_sound(self, index):
        assert index.check() == []

    def test_a_failed_fit_changes_nothing(self, index, monkeypatch):
        before = [(hit.id, hit.score) for hit in index.search("car")]

        def broken(*_):
            raise RuntimeError("in the middle")

        monkeypatch.setattr("vicinal.index._fit.fit_index.save_cluster_table", broken)
        with pytest.raises(RuntimeError):
            index.fit(n_clusters=5)
        monkeypatch.undo()
        assert [(hit.id, hit.score) for hit in index.search("car")] == before
        assert index.fit().n_clusters == 3

    def test_another_reader_sees_what_was_added(self, index):
        with vicinal.open(index.path) as reader:
            assert reader.search("bread", 60)
            index.add([Document("new", "bread bread bread oven")])
            assert "new" in {hit.id for hit in reader.search("bread", 60)}

    def test_what_is_no_index_is_refused(self, tmp_path):
        (tmp_path / "x.vic").write_text("hello")
        with pytest.raises(NotAnIndex):
            vicinal.open(tmp_path / "x.vic")

    def test_rows_that_are_missing_are_damage_and_not_a_crash(self, index):
        from vicinal._store import Arrays, Store

        with Store.open(index.path) as store, store.writing():
            Arrays(store).put("rows/numbers", Arrays(store).get("rows/numbers")[:-1])
        with pytest.warns(DamagedPart, match=r"no row.*full text alone"):
            assert index.search("car")
        [damage] = index.check()
        assert "no row" in damage.what

    @pytest.mark.parametrize(
        "name", ["words/terms", "space/weights", "topics/weights", "rows/counts", "rows/places", "words/columns"]
    )
    def test_an_array_that_is_missing_is_damage_and_not_a_crash(self, index, name):
        from vicinal._store import Arrays, Store

        with Store.open(index.path) as store, store.writing():
            Arrays(store).drop(name)
        with vicinal.open(index.path) as again, pytest.warns(DamagedPart, match=r"not complete.*full text alone"):
            assert again.search("car")
        assert len(index.check()) == 1


class TestExplaining:
    def test_a_document_is_in_its_cluster_for_its_words(self, index):
        why = index.explain("kitchen-2")
        assert math.fsum(why.parts) == pytest.approx(why.total)
        assert why.top(1)[0][0] in (
            "bread",
            "oven",
            "flour",
            "salt",
            "butter",
            "recipe",
            "bake",
            "dough",
            "sugar",
            "cook",
            "kitchen",
        )
        kitchen = next(hit.cluster for hit in index.search("bread"))
        cars = next(hit.cluster for hit in index.search("engine"))
        assert index.explain("kitchen-2", cluster=kitchen).total == why.total > index.explain("kitchen-2", cluster=cars).total

    def test_two_documents_are_alike_for_words(self, index):
        alike, unlike = index.explain("garden-1", other="garden-2"), index.explain("garden-1", other="cars-2")
        assert alike.total > unlike.total
        assert alike.total <= 1 + 1e-9

    def test_a_cluster_and_a_dimension_are_words(self, index):
        number = index.clusters()[0].number
        assert index.explain(cluster=number, limit=4).terms == tuple(word for word, _ in index.clusters()[0].terms[:4])
        assert len(index.explain(component=0, limit=3).terms) == 3

    def test_what_does_not_exist_is_said(self, index):
        with pytest.raises(BadParameter, match=r"no cluster 99\. There are: 0, 1, 2"):
            index.explain(cluster=99)
        with pytest.raises(BadParameter, match="explain takes"):
            index.explain()
        with pytest.raises(BadParameter, match="not in"):
            index.explain("nobody")


class TestBatches:
    """Documents are embedded a thousand at a time, all of them: also the last of a batch, and the first of the next."""

    @pytest.mark.parametrize("n_new", [999, 1000, 1001])
    def test_every_document_of_a_batch_is_embedded(self, index, n_new):
        done = index.add(Document(f"late-{i}", f"oven bread dough flour salt {i}") for i in range(n_new))
        assert (done.added, done.embedded) == (n_new, n_new)
        info = index.info()
        assert (info.embedded, info.unembedded) == (n_new, 0)
        with index._reading() as snapshot:
            last = [snapshot.row_of(f"late-{i}") for i in (0, n_new - 1)]
            assert min(last) >= 0
            assert snapshot.rows.embeddings[last].any(axis=1).all()
        assert index.near(f"late-{n_new - 1}", 1)

    def test_a_fit_reads_every_document_of_a_batch(self, empty):
        empty.add(Document(f"d{i}", f"text {i}") for i in range(1001))
        texts = list(_Texts(empty._store, Documents(empty._store).numbers().tolist(), silent))
        assert texts == [f"text {i}" for i in range(1001)]

    def test_progress_names_the_beginning_of_each_batch(self, index):
        said = []
        index.add((Document(f"late-{i}", "oven bread") for i in range(1001)), progress=lambda *step: said.append(step))
        assert said == [("add", 1000, 0), ("add", 1001, 0), ("embed", 0, 1001), ("embed", 1000, 1001)]


def test_a_document_is_not_near_itself_whatever_it_has_in_its_metadata(index):
    [first] = index.search("oven", 1)
    found = index.near(first.id, 100, where=[("id", "!=", "")])
    assert found
    assert first.id not in {hit.id for hit in found}


def test_a_late_term_that_a_query_repeats_is_one_term(index):
    index.add([Document("late", "a zeppelin above the oven"), Document("later", "the zeppelin of 1937")])
    once, twice = (index.search(text, by="terms") for text in ("dough zeppelin", "dough zeppelin zeppelin"))
    assert [(hit.id, hit.score) for hit in once] == [(hit.id, hit.score) for hit in twice]


def test_a_language_without_a_stemmer_is_refused_before_any_text_is_read():
    texts = iter(["wheat exports fell"])
    with pytest.raises(BadParameter, match="a language that has a stemmer, got 'klingon'"):
        fit_vocabulary(texts, "klingon")
    assert next(texts) == "wheat exports fell"


@pytest.mark.parametrize("ids", ["bread-1", b"bread-1", 3])
def test_a_single_id_where_several_are_asked_for_is_refused_and_nothing_is_removed(index, ids):
    index.add([Document(letter, "oven bread") for letter in "bread-1"[:5]])
    before = index.info().documents
    with pytest.raises(BadParameter, match="ids must be a list of texts"):
        index.remove(ids)
    assert index.info().documents == before


def test_a_single_text_where_several_are_asked_for_is_refused(index):
    with pytest.raises(BadParameter, match="texts must be a list of texts, got 'oven bread'"):
        index.classify("oven bread")
    with pytest.raises(BadParameter, match="ids must be a list of texts"):
        index.classify(ids="bread-1")


@pytest.mark.parametrize("query", [None, 3, b"bread", ["bread"]])
def test_a_query_that_is_no_text_is_refused(index, query):
    with pytest.raises(BadParameter, match="a query must be a text"):
        index.search(query)


def test_documents_added_in_another_order_have_the_same_clusters_and_embeddings(tmp_path, documents):
    """T4: an answer must not depend on the order in which files were read."""
    mixed = [documents[i] for i in np.random.default_rng(0).permutation(len(documents))]
    found = []
    for name, given in (("one.vic", documents), ("two.vic", mixed)):
        with vicinal.open(tmp_path / name, create=True) as index:
            index.add(given)
            index.fit(n_clusters=4, n_components=5, n_neighbors=5)
            clusters = [(cluster.terms, cluster.size) for cluster in index.clusters()]
            near = [(hit.id, hit.score) for hit in index.near(documents[0].id, limit=5)]
            found.append((clusters, near))
    assert found[0] == found[1]
