"""Clusters are opened: parts make up the whole, have words of their own, and are the same every time; nothing is written."""

from __future__ import annotations

import json
import math
import random
from dataclasses import asdict

import numpy as np
import pytest
import scipy.sparse as sp

import vicinal
from vicinal._store import Store
from vicinal.corpus import Document
from vicinal.datasets import load_docstrings
from vicinal.errors import BadParameter, ClusterCount, TooFewDocuments
from vicinal.index import Index
from vicinal.index._clusters import subclusters
from vicinal.index._clusters.cluster_path import ClusterPath, parse_path
from vicinal.index._index_state import IndexState
from vicinal.index._snapshot import Snapshot

ODD = Document("odd", "quokka quokka")  # a word that nobody else has: it is in the largest cluster for want of a better one


@pytest.fixture(scope="module", name="numpy_file")
def documentation_of_numpy(tmp_path_factory):
    path = tmp_path_factory.mktemp("opening") / "numpy.vic"
    with vicinal.open(path, create=True) as index:
        index.add([*list(load_docstrings(["numpy"]))[::3], ODD])
        index.fit(n_clusters=6, n_components=20)
    return path


@pytest.fixture(name="reader")
def read_only(numpy_file):
    """The file as it is on a medium that cannot be written."""
    with Index(Store(numpy_file, False, "mode=ro&immutable=1")) as index:
        yield index


def of_subject(subject, n_documents, text):
    return [Document(f"{subject}-{number}", text(number), subject) for number in range(n_documents)]


COMMON = {"sea": "wave salt tide foam", "town": "street house square tower"}
KINDS = {"whale": "whale calf fin song dive", "ship": "ship sail mast deck crew", "tram": "tram rail wire stop fare"}


def mixed(subject, kinds):
    """Documents that share the words of their subject, and have some of their kind."""
    for kind, n_documents in kinds.items():
        for number in range(n_documents):
            chance = random.Random(f"{kind} {number}")
            words = [*COMMON[subject].split(), *chance.choices(KINDS[kind].split(), k=8)]
            yield Document(f"{kind}-{number}", " ".join(words))


def ids(index, path):
    return {hit.id for hit in index.members(path, 10_000)}


class TestParts:
    def test_together_they_are_the_whole_but_for_documents_that_share_no_word(self, reader):
        largest, *others = reader.clusters()
        for cluster, outside in [(largest, {"odd"}), *((each, set()) for each in others)]:
            parts = reader.clusters(cluster.number)
            assert len(parts) > 1
            inside = [ids(reader, part.path) for part in parts]
            assert [len(each) for each in inside] == [part.size for part in parts]
            assert set().union(*inside) | outside == ids(reader, cluster.path)
            assert sum(part.size for part in parts) + len(outside) == cluster.size
            assert sum(part.share for part in parts) == pytest.approx(1 - len(outside) / cluster.size)

    def test_they_are_numbered_by_size_and_named_by_their_words(self, reader):
        for cluster in reader.clusters():
            parts = reader.clusters(cluster.number)
            assert [part.number for part in parts] == list(range(len(parts)))
            assert [part.path for part in parts] == [f"{cluster.number}.{part.number}" for part in parts]
            assert np.all(np.diff([part.size for part in parts]) <= 0)
            assert all(part.name == ", ".join(word for word, _ in part.terms[:3]) for part in parts)
            assert all(0 <= part.uncertainty <= 1 for part in parts)

    def test_no_two_parts_of_a_cluster_have_one_name(self, reader):
        for cluster in reader.clusters():
            names = [part.name for part in reader.clusters(cluster.number)]
            assert len(set(names)) == len(names)

    def test_what_a_cluster_has_in_common_tells_none_of_its_parts(self, tmp_path):
        with vicinal.open(tmp_path / "new.vic", create=True) as index:
            index.add([*mixed("sea", {"whale": 12, "ship": 9}), *mixed("town", {"tram": 16})])
            index.fit(n_clusters=2, n_components=3, n_neighbors=5)
            sea = index.clusters()[0]
            assert (sea.size, {word for word, _ in sea.terms} & set(COMMON["sea"].split())) == (21, set(COMMON["sea"].split()))
            whales, ships = index.clusters(sea.number)
            assert {id.partition("-")[0] for id in ids(index, whales.path)} == {"whale"}
            assert {id.partition("-")[0] for id in ids(index, ships.path)} == {"ship"}
            assert {word for word, _ in whales.terms[:5]} == set(KINDS["whale"].split())
            assert {word for word, _ in ships.terms[:5]} == set(KINDS["ship"].split())

    def test_exemplars_are_members_the_most_typical_first(self, reader):
        number = reader.clusters()[0].number
        for part in reader.clusters(number):
            assert [id for id, _ in part.exemplars] == [hit.id for hit in reader.members(part.path)]

    def test_a_cluster_can_be_written_as_json(self, reader):
        for part in [*reader.clusters(), *reader.clusters(0)]:
            assert json.loads(json.dumps(asdict(part)))["path"] == part.path


class TestPaths:
    def test_a_number_a_text_and_a_sequence_open_the_same(self, reader):
        assert reader.clusters(1) == reader.clusters("1") == reader.clusters([1]) == reader.clusters(np.int64(1))
        assert reader.clusters("0.0") == reader.clusters((0, 0)) != reader.clusters("0.1")

    def test_parts_are_opened_in_turn(self, reader):
        outer = reader.clusters(0)[0]
        inner = reader.clusters(outer.path)
        assert [part.path for part in inner] == [f"0.0.{number}" for number in range(len(inner))]
        assert sum(part.size for part in inner) <= outer.size
        assert set().union(*(ids(reader, part.path) for part in inner)) <= ids(reader, outer.path)

    def test_a_number_of_parts_that_was_asked_for_is_in_the_path(self, reader):
        parts = reader.clusters(0, n_clusters=3)
        assert [part.path for part in parts] == ["0:3.0", "0:3.1", "0:3.2"]
        assert [part.size for part in parts] != [part.size for part in reader.clusters(0)]
        assert len(ids(reader, "0:3.1")) == parts[1].size
        assert [part.path for part in reader.clusters("0:3.1", n_clusters=2)] == ["0:3.1:2.0", "0:3.1:2.1"]

    @pytest.mark.parametrize("text", ["7", "3.1.0", "3:5.1", "3.1:2.0.4"])
    def test_a_path_is_written_as_it_is_read(self, text):
        assert str(parse_path(text)) == text
        assert str(parse_path(text).part("auto", 3)) == f"{text}.3"
        assert parse_path(text).part(4, 0).parent == parse_path(text)

    def test_sequences_leave_the_numbers_of_parts_open(self):
        assert parse_path([3, 1]) == ClusterPath((3, 1), ("auto",)) == parse_path("3.1")

    @pytest.mark.parametrize(
        "wrong", ["", "x", "3.", ".3", "3..1", "3:5", "-1", " 3", "3/1", "٣", "9" * 10, -1, True, 2.0, [], ["3"], [3, -1], b"3"]
    )
    def test_what_is_no_path_is_refused(self, reader, wrong):
        for ask in (reader.clusters, reader.members):
            with pytest.raises(BadParameter, match=r'a path such as "3\.1"'):
                ask(wrong)

    def test_what_is_not_there_is_refused_with_what_is(self, reader):
        with pytest.raises(BadParameter, match=r"no cluster 99\. There are: 0, 1, 2, 3, 4, 5"):
            reader.clusters(99)
        with pytest.raises(BadParameter, match=r"no cluster 0\.99\. Cluster 0 has the parts 0\.0, 0\.1"):
            reader.clusters("0.99")
        with pytest.raises(BadParameter, match=r"no cluster 0:2\.2\. Cluster 0 has the parts 0:2\.0, 0:2\.1\."):
            reader.members("0:2.2")

    def test_numbers_of_parts_that_cannot_be_are_refused(self, reader):
        for ask in (lambda: reader.clusters(0, n_clusters=1), lambda: reader.clusters("0:1.0")):
            with pytest.raises(BadParameter, match="n_clusters must be a whole number of at least 2"):
                ask()
        with pytest.raises(BadParameter, match='or "auto"'):
            reader.clusters(0, n_clusters="many")
        with pytest.raises(BadParameter, match="n_clusters must be a whole number"):
            reader.clusters(n_clusters=0)
        with pytest.raises(TooFewDocuments, match=r"cluster 0 cannot be opened in 5000 parts: of its \d+ documents \d+ have"):
            reader.clusters(0, n_clusters=5000)


class TestMembers:
    def test_scores_fall_and_are_the_sum_of_what_the_words_added(self, reader):
        for path in ("0", "0.1"):
            hits = reader.members(path, 20)
            assert np.all(np.diff([hit.score for hit in hits]) <= 1e-6)
            assert all(hit.score == pytest.approx(math.fsum(hit.why.parts)) and abs(hit.score) <= 1 + 1e-6 for hit in hits)
            assert all(hit.cluster == 0 for hit in hits)

    def test_a_score_is_the_cosine_with_the_middle(self, reader):
        snapshot = reader._cache.state()
        rows = np.flatnonzero(snapshot.rows.clusters == snapshot.cluster_table.position(0))
        places = np.asarray(snapshot.rows.embeddings[rows], dtype=np.float64)
        middle = places.mean(axis=0)
        cosines = np.sort(places @ middle / np.linalg.norm(middle))[::-1]
        np.testing.assert_allclose([hit.score for hit in reader.members(0, 10)], cosines[:10], atol=1e-5)

    def test_a_limit_holds_and_must_be_one(self, reader):
        assert len(reader.members(0, 3)) == 3
        assert [hit.id for hit in reader.members(0, 3)] == [hit.id for hit in reader.members(0, 30)][:3]
        with pytest.raises(BadParameter, match="limit"):
            reader.members(0, 0)

    def test_documents_without_a_place_come_last(self, reader):
        assert [hit.id for hit in reader.members(reader.clusters()[0].number, 10_000)].index("odd") > 50


class TestAgain:
    def test_who_opens_the_file_again_finds_the_same(self, reader, numpy_file):
        with vicinal.open(numpy_file) as again:
            for path in ("0", "0.0", "1"):
                assert again.clusters(path) == reader.clusters(path)

    def test_a_second_time_nothing_is_learnt_and_parents_are_not_learnt_again(self, reader, monkeypatch):
        learnt = []
        fit = subclusters.fit_to_counts
        monkeypatch.setattr(
            subclusters, "fit_to_counts", lambda topics, counts: learnt.append(counts.shape[0]) or fit(topics, counts)
        )
        first = reader.clusters("0.0")
        assert len(learnt) == 2  # the cluster, and its part
        reader.clusters(0)
        reader.members("0.1")
        assert reader.clusters("0.0") == first
        assert len(learnt) == 2
        reader.clusters("0.1")
        assert len(learnt) == 3

    def test_nothing_is_written(self, numpy_file):
        before = numpy_file.read_bytes()
        with vicinal.open(numpy_file) as index:
            index.clusters("0.0")
            index.members("0.0")
        assert numpy_file.read_bytes() == before

    def test_a_change_of_the_index_is_seen(self, index):
        number = index.clusters()[0].number
        gone = {hit.id for hit in index.members(number, 5)}
        assert gone <= set().union(*(ids(index, part.path) for part in index.clusters(number)))
        index.remove(gone)
        parts = index.clusters(number)
        assert sum(part.size for part in parts) == 15
        assert not gone & set().union(*(ids(index, part.path) for part in parts))

    def test_documents_that_were_added_since_are_in_a_part(self, index):
        index.add([Document("late", "oven bread dough flour butter", "late")])
        [cluster] = [hit.cluster for hit in index.search("dough", 60) if hit.id == "late"]
        assert "late" in set().union(*(ids(index, part.path) for part in index.clusters(cluster)))

    def test_a_reader_opens_clusters_while_a_writer_works(self, index):
        with vicinal.open(index.path) as reader:
            before = reader.clusters(0)
            with index._store.writing():
                index.remove([hit.id for hit in index.members(0, 5)])
                assert reader.clusters(0) == before
                assert sum(part.size for part in reader.clusters(0, n_clusters=2)) == 20
            assert sum(part.size for part in reader.clusters(0, n_clusters=2)) == 15


class TestWhatCannotBeOpened:
    def test_before_the_first_fit_there_is_nothing(self, tmp_path, documents):
        with vicinal.open(tmp_path / "new.vic", create=True) as index:
            index.add(documents)
            assert index.clusters(0) == []
            assert index.members(0) == []

    def test_copies_of_one_document(self, tmp_path, documents):
        with vicinal.open(tmp_path / "new.vic", create=True) as index:
            cars = [each for each in documents if each.id.startswith("cars")]
            index.add([*cars, *of_subject("song", 20, lambda _: "melody voice choir song rhyme")])
            index.fit(n_clusters=2, n_components=3, n_neighbors=5)
            song = next(cluster for cluster in index.clusters() if "melody" in dict(cluster.terms))
            assert song.size == 20
            assert index.clusters(song.number) == []
            assert index.clusters(song.number, n_clusters=3) == []
            assert len(index.members(song.number, 30)) == 20
            with pytest.raises(BadParameter, match=rf"no cluster {song.number}\.0: cluster {song.number} cannot be opened further"):
                index.clusters((song.number, 0))

    def test_fewer_parts_than_were_asked_for_are_said_each_time(self, tmp_path, documents):
        with vicinal.open(tmp_path / "new.vic", create=True) as index:
            cars = [each for each in documents if each.id.startswith("cars")]
            kinds = ("melody voice choir", "melody violin bow")
            index.add([*cars, *of_subject("song", 20, lambda number: kinds[number % 2])])
            index.fit(n_clusters=2, n_components=3, n_neighbors=5)
            song = next(cluster for cluster in index.clusters() if "melody" in dict(cluster.terms))
            for _ in range(2):
                with pytest.warns(ClusterCount, match=r"asked for 5 parts of cluster \d+ but there are 2"):
                    assert [part.size for part in index.clusters(song.number, n_clusters=5)] == [10, 10]
            assert index.clusters(song.path + ":5.1") == []

    @pytest.mark.parametrize("left", [0, 1, 3])
    def test_a_few_documents_that_are_left(self, index, left):
        index.remove([hit.id for hit in index.members(0, 20)][left:])
        assert index.clusters(0) == []
        assert len(index.members(0)) == left
        with pytest.raises(TooFewDocuments, match=f"in 4 parts: of its {left} documents"):
            index.clusters(0, n_clusters=4)

    def test_four_documents_are_enough(self, index):
        index.remove([hit.id for hit in index.members(0, 20)][4:])
        assert sum(part.size for part in index.clusters(0, n_clusters=2)) == 4

    @pytest.mark.parametrize("shared", [False, True])
    def test_documents_without_words_or_with_one_and_the_same(self, index, shared):
        snapshot = index._cache.state()
        n_rows, n_terms = snapshot.rows.counts.shape
        words = np.zeros(n_rows, dtype=np.int64) if shared else np.arange(n_rows) % n_terms
        column = np.ones(n_rows, dtype=np.int32) if shared else np.zeros(n_rows, dtype=np.int32)
        counts = sp.csr_array((column, (np.arange(n_rows), words)), shape=(n_rows, n_terms))
        counts.eliminate_zeros()
        state = IndexState(index._store, snapshot._fit, index._store.commits())
        bare = Snapshot(state, index._cache.searches)
        state.rows.__dict__["counts"] = counts
        assert bare.clusters(0) == []
        assert len(bare.members(0, 5)) == 5
