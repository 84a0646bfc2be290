"""Loaders of corpora that are given by a path, on small files in the formats of the real ones."""

from __future__ import annotations

import sys
import tarfile
from pathlib import Path

import numpy as np
import pytest
import scipy.io
import scipy.sparse as sp

from vicinal import Document, Vectorizer
from vicinal.datasets import (
    CountDataset,
    Dataset,
    load_arxiv,
    load_folder,
    load_newsgroups,
    load_reuters,
    load_smart,
    load_tdt2,
)
from vicinal.errors import BadData, BadParameter, EmptyCorpus, MissingExtra, NoSuchSource, SkippedFiles


def write(folder: Path, files: dict[str, str]) -> Path:
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(content, encoding="latin-1")
    return folder


def packed(folder: Path, path: Path, mode: str = "w:xz") -> Path:
    with tarfile.open(path, mode) as archive:
        archive.add(folder, ".")
    return path


# Dataset


def test_a_dataset_is_a_sequence_of_documents_with_texts_and_labels():
    documents = (Document("1", "rose", "Garden", "b"), Document("2", "bread", label="a"), Document("3", "rain"))
    dataset = Dataset.of(documents)
    assert (len(dataset), list(dataset), dataset[1]) == (3, list(documents), documents[1])
    assert dataset.label_names == ("a", "b")
    assert dataset.labels.dtype == np.int64
    assert dataset.labels.tolist() == [1, 0, -1]
    assert dataset.texts == ["Garden\nrose", "bread", "rain"]


def test_a_slice_of_a_dataset_keeps_its_classes():
    dataset = Dataset.of([Document("1", "rose", label="b"), Document("2", "bread", label="a")])
    assert isinstance(dataset[:1], Dataset)
    assert dataset[:1].label_names == ("a", "b")
    assert dataset[:1].labels.tolist() == [1]


# Folders


@pytest.fixture
def folder(tmp_path) -> Path:
    files = {"sport/a.txt": "ball", "sport/1998/b.txt": "goal", "rain/c.txt": "cloud", "d.txt": "alone"}
    return write(tmp_path / "news", files)


def test_folders_are_classes_however_deep_their_files_lie(folder):
    dataset = load_folder(folder)
    assert [(document.text, document.label) for document in dataset] == [
        ("alone", ""),
        ("cloud", "rain"),
        ("goal", "sport"),
        ("ball", "sport"),
    ]
    assert dataset.label_names == ("rain", "sport")
    assert dataset.labels.tolist() == [-1, 0, 1, 1]


def test_the_folder_one_is_in_can_be_loaded_and_a_column_called_folder_is_no_label(folder, monkeypatch):
    (folder / "d.txt").unlink()
    (folder / "rain" / "table.csv").write_text("text,folder\nfog,elsewhere\n")
    monkeypatch.chdir(folder)
    assert [document.label for document in load_folder(".")] == ["rain", "rain", "sport", "sport"]


def test_files_that_are_skipped_are_a_warning_and_the_others_are_there(folder):
    (folder / "sport" / "picture.png").write_bytes(b"\x89PNG\r\n\x1a\n\0\0\0\r")
    with pytest.warns(SkippedFiles, match=r"1 skipped.*picture\.png: binary, not text"):
        assert len(load_folder(folder)) == 4


def test_a_folder_without_documents_a_file_and_nothing_are_refused(tmp_path, folder):
    (tmp_path / "empty").mkdir()
    with pytest.raises(EmptyCorpus, match="there is no document in"):
        load_folder(tmp_path / "empty")
    with pytest.raises(BadParameter, match="must be a folder"):
        load_folder(folder / "d.txt")
    with pytest.raises(NoSuchSource):
        load_folder(tmp_path / "nowhere")


def test_a_folder_is_loaded_with_progress_and_an_encoding(tmp_path):
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "x.txt").write_bytes("мир".encode("koi8-r"))
    steps: list[tuple[str, int, int]] = []
    dataset = load_folder(tmp_path, encoding="koi8-r", progress=lambda *step: steps.append(step))
    assert dataset[0].text == "мир"
    assert steps[-1] == ("read", 3, 3)


# 20 Newsgroups


POSTS = {
    "20news-bydate-test/rec.autos/9": "Subject: Brakes\nFrom: me\n\nThey squeak.\n",
    "20news-bydate-train/rec.autos/10": "From: you\nSubject: Tyres\n of winter\n\nThey wear.\n",
    "20news-bydate-train/rec.autos/9": "Subject: Oil\n\nIt leaks.\n",
    "20news-bydate-train/alt.atheism/7": "Subject: Doubt\n\nMuch.\n",
    "20news-bydate-train/README": "not a post",
}


@pytest.mark.parametrize("mode", ["w:xz", "w:gz", "w"])
def test_newsgroups_are_the_same_from_an_archive_and_a_folder(tmp_path, mode):
    folder = write(tmp_path / "posts", POSTS)
    unpacked, archived = load_newsgroups(folder), load_newsgroups(packed(folder, tmp_path / "posts.tar", mode))
    assert list(archived) == list(unpacked)
    assert [document.id for document in archived] == ["alt.atheism/7", "rec.autos/9", "rec.autos/10", "rec.autos/9"]
    assert archived.label_names == ("alt.atheism", "rec.autos")


def test_a_part_of_the_newsgroups_keeps_all_classes(tmp_path):
    dataset = load_newsgroups(write(tmp_path, POSTS), subset="test")
    assert [(document.title, document.text) for document in dataset] == [("Brakes", "They squeak.\n")]
    assert dataset.labels.tolist() == [1]
    assert len(load_newsgroups(tmp_path, subset="train")) == 3


def test_headers_are_kept_as_asked_for(tmp_path):
    write(tmp_path, POSTS)
    tyres = load_newsgroups(tmp_path)[2]
    assert (tyres.title, tyres.text) == ("Tyres of winter", "They wear.\n")
    more = load_newsgroups(tmp_path, headers=("Subject", "From"))[2]
    assert (more.title, more.text) == ("Tyres of winter", "you\n\nThey wear.\n")
    bare = load_newsgroups(tmp_path, headers=())[2]
    assert (bare.title, bare.text) == ("", "They wear.\n")
    whole = load_newsgroups(tmp_path, headers="all")[2]
    assert (whole.title, whole.text) == ("", POSTS["20news-bydate-train/rec.autos/10"])
    with pytest.raises(BadParameter, match=r"headers=\('subject',\)"):
        load_newsgroups(tmp_path, headers="subject")


# Reuters


def story(number: int, topics: list[str], split: str = "TRAIN", body: str | None = "Prices &lt;up&gt;.", has: str = "YES") -> str:
    marked = "".join(f"<D>{topic}</D>" for topic in topics)
    text = "" if body is None else f"<BODY>{body}</BODY>"
    return (
        f'<REUTERS TOPICS="{has}" LEWISSPLIT="{split}" NEWID="{number}"><TOPICS>{marked}</TOPICS>'
        f"<TEXT><TITLE>Story {number}</TITLE>{text}</TEXT></REUTERS>\n"
    )


@pytest.fixture
def reuters(tmp_path) -> Path:
    first = story(1, ["grain"]) + story(2, ["earn"]) + story(3, ["earn", "acq"]) + story(4, [])
    second = story(5, ["earn"], "TEST") + story(6, ["acq"], "NOT-USED") + story(7, ["acq"], body=None) + story(8, ["acq"], has="NO")
    return write(tmp_path / "reuters", {"reut2-001.sgm": second, "reut2-000.sgm": first, "README.txt": story(9, ["x"])})


def test_only_stories_with_one_topic_and_a_body_in_one_part_count(reuters, tmp_path):
    dataset = load_reuters(packed(reuters, tmp_path / "r.tar.xz"), n_classes=None)
    assert [document.id for document in dataset] == ["1", "2", "5"]
    assert dataset.label_names == ("earn", "grain")
    assert dataset.labels.tolist() == [1, 0, 0]
    assert dataset[0] == Document("1", "Prices <up>.", "Story 1", "grain", "reut2-000.sgm", {"subset": "train"})


def test_the_largest_topics_are_chosen_from_all_parts(reuters):
    assert [document.id for document in load_reuters(reuters, n_classes=1)] == ["2", "5"]
    dataset = load_reuters(reuters, subset="test")
    assert ([document.id for document in dataset], dataset.label_names) == (["5"], ("earn", "grain"))
    with pytest.raises(BadParameter, match="n_classes"):
        load_reuters(reuters, n_classes=0)


# SMART


CRANFIELD = {
    "cran/cran.all.1400": ".I 1\n.T\nwings in a\nstream .\n.A\nsomeone\n.W\nwings in a stream .\n  lift was measured .\n"
    ".I 2\n.T\nplates\n.W\nheat\nflow\n.W\nmore\n",
    "cran/cran.qry": ".I 001\n.W\nwhat lifts\n.I 004\n.W\nheat of plates\n",
    "cran/cranqrel": "1 1 2\n2 2 3\n2 1 -1\n",
}


def test_a_title_that_the_abstract_repeats_is_there_once(tmp_path):
    dataset = load_smart(write(tmp_path, CRANFIELD), "cranfield")
    assert [(each.id, each.title, each.text) for each in dataset.documents] == [
        ("1", "wings in a stream .", "lift was measured ."),
        ("2", "plates", "heat\nflow\nmore"),
    ]
    assert dataset.texts[0] == "wings in a stream .\nlift was measured ."


def test_judgements_count_queries_by_position_and_leave_out_what_is_not_explained(tmp_path):
    dataset = load_smart(write(tmp_path, CRANFIELD), "cranfield")
    assert dataset.queries == ("what lifts", "heat of plates")
    assert dataset.relevant == (frozenset({0}), frozenset({1}))
    assert dataset.judged == (0, 1)


def test_a_collection_that_is_not_there_is_named_with_its_files(tmp_path):
    write(tmp_path, CRANFIELD)
    with pytest.raises(EmptyCorpus, match=r"'med' is not in .*med/MED\.ALL"):
        load_smart(tmp_path, "med")
    with pytest.raises(BadParameter, match="'cranfield', 'med', 'cisi'"):
        load_smart(tmp_path, "reuters")


# TDT2


def test_tdt2_gives_counts_and_classes_from_zero(tmp_path):
    table = sp.lil_array((3, 36_773))
    table[0, 5], table[1, 0], table[2, 36_770] = 2, 1, 3
    table[:, [36_771]] = sp.csr_array([[2], [1], [2]])
    table[:, [36_772]] = sp.csr_array([[104], [105], [106]])
    scipy.io.savemat(tmp_path / "TDT2.mat", {"fea": sp.csc_array(table)})
    dataset = load_tdt2(tmp_path / "TDT2.mat")
    assert isinstance(dataset, CountDataset)
    assert dataset.counts.shape == (3, 36_771)
    assert dataset.counts.data.tolist() == [2, 1, 3]
    assert dataset.labels.tolist() == [1, 0, 1]
    assert dataset.label_names == ("1", "2")


def test_another_file_is_not_taken_for_tdt2(tmp_path):
    scipy.io.savemat(tmp_path / "other.mat", {"gnd": np.eye(2)})
    scipy.io.savemat(tmp_path / "small.mat", {"fea": np.eye(2)})
    (tmp_path / "text.mat").write_text("no matrix in here at all, only words and more words" * 10)
    with pytest.raises(BadData, match="which has a variable 'fea'"):
        load_tdt2(tmp_path / "other.mat")
    with pytest.raises(BadData, match="which has a variable 'fea'"):
        load_tdt2(tmp_path / "text.mat")
    with pytest.raises(BadData, match="more than 36,771 columns, got 2"):
        load_tdt2(tmp_path / "small.mat")


# arXiv


@pytest.fixture
def papers(tmp_path) -> Path:
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    rows = [
        {
            "id": str(i),
            "category": "cs.IR" if i % 2 else "math.ST",
            "created": "2005",
            "title": f"Title {i}",
            "abstract": f"text {i}",
        }
        for i in range(5)
    ]
    parquet.write_table(pyarrow.Table.from_pylist(rows), tmp_path / "papers.parquet")
    return tmp_path / "papers.parquet"


def test_papers_have_title_abstract_category_and_date(papers):
    dataset = load_arxiv(papers)
    assert dataset[1] == Document("1", "text 1", "Title 1", "cs.IR", str(papers), {"created": "2005"})
    assert dataset.label_names == ("cs.IR", "math.ST")
    assert [len(load_arxiv(papers, limit=limit)) for limit in (0, 3, 5, 9)] == [0, 3, 5, 5]
    with pytest.raises(BadParameter, match="limit"):
        load_arxiv(papers, limit=-1)


def test_a_file_that_is_not_of_papers_is_refused(papers, tmp_path):
    pyarrow = pytest.importorskip("pyarrow")
    sys.modules["pyarrow.parquet"].write_table(pyarrow.table({"id": ["1"]}), tmp_path / "ids.parquet")
    (tmp_path / "text.parquet").write_text("words")
    for name in ("ids.parquet", "text.parquet"):
        with pytest.raises(BadData, match="is not a Parquet file with the columns"):
            load_arxiv(tmp_path / name)


def test_without_pyarrow_the_error_says_what_to_install(papers, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    with pytest.raises(MissingExtra, match=r"pip install vicinal\[read\]"):
        load_arxiv(papers)


# All of them


LOADERS = [load_newsgroups, load_reuters, lambda path: load_smart(path, "med"), load_tdt2, load_arxiv, load_folder]


@pytest.mark.parametrize("load", LOADERS)
def test_a_path_where_nothing_is_is_named(load, tmp_path):
    with pytest.raises(NoSuchSource, match="nowhere"):
        load(tmp_path / "nowhere")


@pytest.mark.parametrize("load", LOADERS[:3])
def test_an_archive_or_folder_without_the_corpus_and_a_file_that_is_none_are_refused(load, tmp_path):
    folder = write(tmp_path / "other", {"a.txt": "words"})
    for path in (folder, packed(folder, tmp_path / "other.tar")):
        with pytest.raises(EmptyCorpus, match="other"):
            load(path)
    with pytest.raises(BadData, match="not a readable tar archive"):
        load(folder / "a.txt")


@pytest.mark.parametrize("mode", ["w:xz", "w:gz", "w:bz2", "w"])
def test_an_archive_that_breaks_off_is_refused(tmp_path, mode):
    rng = np.random.default_rng(0)
    posts = {f"x-train/a/{i}": "Subject: s\n\n" + rng.bytes(5_000).decode("latin-1") for i in range(20)}
    whole = packed(write(tmp_path / "posts", posts), tmp_path / "whole.tar", mode).read_bytes()
    (tmp_path / "half.tar").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(BadData, match=r"half\.tar is not a readable tar archive"):
        load_newsgroups(tmp_path / "half.tar")


@pytest.mark.parametrize("load", LOADERS[:2])
def test_a_part_that_does_not_exist_is_refused(load, tmp_path):
    with pytest.raises(BadParameter, match="subset must be 'all', 'train' or 'test', got 'dev'"):
        load(tmp_path, subset="dev")


def test_texts_and_labels_go_into_a_vectorizer_as_they_are(tmp_path):
    dataset = load_newsgroups(write(tmp_path, POSTS))
    assert Vectorizer(min_df=1, max_df=1.0).fit_transform(dataset.texts).shape[0] == len(dataset.labels) == 4
