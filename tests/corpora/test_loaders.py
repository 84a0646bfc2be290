from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from corpora import arxiv, newsgroups, place, reuters, smart, tdt2
from vicinal.errors import BadParameter

pytest_plugins = ["pytester"]
CONFTEST = Path(__file__).parents[1] / "conftest.py"


def subject_by_hand(post: str) -> str:
    """Read line by line, folded lines included: another way than the reader's pattern."""
    lines = post.splitlines()
    first = next(i for i, line in enumerate(lines) if line.lower().startswith("subject:"))
    folded = []
    for line in lines[first + 1 :]:
        if not line.startswith((" ", "\t")):
            break
        folded.append(line)
    return " ".join([lines[first][len("subject:") :], *folded])


def sizes(labels) -> list[int]:
    return np.bincount(labels).tolist()


@pytest.mark.corpus
def test_tdt2_has_the_documents_terms_and_classes_of_the_papers():
    X, y = tdt2.load()
    assert X.shape == (9394, 36771)
    assert X.dtype == np.float64
    assert X.has_canonical_format
    assert y.dtype == np.int64
    large = [1844, 1828, 1222, 811, 441, 407, 272, 238, 226, 167, 160, 145, 141, 140, 131, 123, 123, 120, 104]
    assert sizes(y) == [*large, 98, 76, 74, 72, 71, 66, 65, 63, 58, 56, 52]


@pytest.mark.corpus
def test_tdt2_holds_counts_of_words_and_neither_class_nor_date():
    X, _ = tdt2.load()
    assert X.data.min() >= 1
    assert np.array_equal(X.data, np.round(X.data))
    assert X.data.max() < 101  # a date would be a number from 101 to 1231


@pytest.mark.corpus
def test_newsgroups_has_the_posts_of_both_dates_in_twenty_groups():
    train, train_labels, names = newsgroups.load("train")
    test, test_labels, _ = newsgroups.load("test")
    both, labels, _ = newsgroups.load()
    assert (len(train), len(test), len(names)) == (11_314, 7_532, 20)
    assert names[0] == "alt.atheism"
    assert names == sorted(names)
    assert both == train + test
    assert labels.tolist() == [*train_labels, *test_labels]
    assert (sizes(train_labels)[0], sizes(test_labels)[0]) == (480, 319)


@pytest.mark.corpus
def test_a_post_is_its_subject_and_body_unless_all_is_asked_for():
    texts, _, _ = newsgroups.load("train")
    whole, _, _ = newsgroups.load("train", headers="all")
    bare, _, _ = newsgroups.load("train", headers=())
    assert all("From:" in post.partition("\n\n")[0] for post in whole)
    assert all(text.endswith(body) and post.endswith(body) for text, body, post in zip(texts, bare, whole, strict=True))
    heads = [text.removesuffix(body) for text, body in zip(texts, bare, strict=True)]
    assert all(head.endswith("\n\n") and head.count("\n") == 2 for head in heads)
    for head, post in zip(heads, whole, strict=True):
        assert f"Subject: {head}".split() == f"Subject: {subject_by_hand(post)}".split()


@pytest.mark.corpus
def test_newsgroups_has_34_empty_bodies_and_57_surplus_copies_among_the_others():
    bodies = [body.strip() for body in newsgroups.load(headers=())[0]]
    counts = Counter(body for body in bodies if body)
    assert bodies.count("") == 34
    assert counts.total() - len(counts) == 57


@pytest.mark.corpus
def test_reuters_comes_out_as_the_papers_set():
    texts, labels, names = reuters.load()
    by_name = dict(zip(names, sizes(labels), strict=True))
    assert len(texts) == 8067
    assert list(by_name.items())[:6] == [
        ("earn", 3713),
        ("acq", 2055),
        ("crude", 321),
        ("trade", 298),
        ("money-fx", 245),
        ("interest", 197),
    ]
    assert (names[-1], by_name["orange"], len(names)) == ("orange", 18, 30)


@pytest.mark.corpus
def test_reuters_before_the_cut_has_65_topics_in_both_parts():
    texts, _, names = reuters.load(n_topics=None)
    assert (len(texts), len(names)) == (8293, 65)
    assert [len(reuters.load(part, n_topics=None)[0]) for part in ("train", "test")] == [5946, 2347]


@pytest.mark.corpus
def test_reuters_entities_are_decoded():
    texts, _, _ = reuters.load()
    assert not any("&lt;" in text or "&amp;" in text or "<BODY>" in text for text in texts)
    assert sum("<" in text for text in texts) > 1000  # tickers, written <IBM>


@pytest.mark.corpus
@pytest.mark.parametrize(
    ("name", "n_documents", "n_queries", "n_judged", "n_judgements"),
    [("cranfield", 1400, 225, 225, 1612), ("med", 1033, 30, 30, 696), ("cisi", 1460, 112, 76, 3114)],
)
def test_smart_collections_have_their_documents_queries_and_judgements(name, n_documents, n_queries, n_judged, n_judgements):
    collection = smart.load(name)
    assert len(collection.documents) == len(collection.texts) == n_documents
    assert (len(collection.queries), len(collection.relevant)) == (n_queries, n_queries)
    assert len(collection.judged) == n_judged
    assert sum(map(len, collection.relevant)) == n_judgements
    assert all(0 <= position < n_documents for found in collection.relevant for position in found)
    assert all(collection.queries)


@pytest.mark.corpus
def test_only_two_documents_of_cranfield_are_empty():
    texts = smart.load("cranfield").texts
    assert [number for number, text in enumerate(texts, start=1) if not text] == [471, 995]


@pytest.mark.corpus
def test_no_line_of_markup_is_left_in_smart_texts():
    for name in smart.NAMES:
        collection = smart.load(name)
        for text in [*collection.texts, *collection.queries]:
            assert "\r" not in text
            assert not any(line.startswith((".I ", ".W", ".T", ".X")) for line in text.splitlines())


@pytest.mark.corpus
def test_judged_answers_share_more_words_with_their_query_than_a_shifted_numbering_would():
    """Cranfield numbers its queries with gaps; read by those numbers, judgements would belong to other questions."""
    collection = smart.load("cranfield")
    queries = [set(query.split()) for query in collection.queries]
    texts = [set(text.split()) for text in collection.texts]

    def shared(shift: int) -> float:
        pairs = [(q, d) for q, found in enumerate(collection.relevant) for d in found]
        return float(np.mean([len(queries[(q + shift) % len(queries)] & texts[d]) for q, d in pairs]))

    assert shared(0) > 1.2 * max(shared(shift) for shift in (5, 20, 50))


@pytest.mark.corpus
def test_arxiv_has_two_hundred_thousand_papers_in_89_categories():
    papers = arxiv.load(["id", "category"])
    assert list(papers) == ["id", "category"]
    assert len(papers["id"]) == len(set(papers["id"])) == 200_000
    assert len(set(papers["category"])) == 89


@pytest.mark.corpus
def test_arxiv_stops_at_the_limit_and_gives_the_same_papers():
    few = arxiv.load(limit=12_345)
    assert {name: len(values) for name, values in few.items()} == dict.fromkeys(("title", "abstract", "category"), 12_345)
    assert arxiv.load(["title"], limit=3)["title"] == few["title"][:3]
    assert arxiv.load(["title"], limit=0) == {"title": []}
    with pytest.raises(BadParameter, match="'author'"):
        arxiv.load(["author"])


def test_a_corpus_that_is_nowhere_is_an_error_that_says_both_places(monkeypatch, tmp_path):
    monkeypatch.setenv(place.VARIABLE, str(tmp_path / "nowhere"))
    monkeypatch.setattr(place, "BESIDE", tmp_path / "beside")
    with pytest.raises(place.CorpusMissing, match=r"tdt2.*nowhere.*beside") as caught:
        place.locate("tdt2")
    assert isinstance(caught.value, FileNotFoundError)
    assert place.available() == ()


def test_the_named_folder_comes_before_the_one_beside_the_project(monkeypatch, tmp_path):
    for folder in ("named", "beside"):
        (tmp_path / folder / "tdt2").mkdir(parents=True)
        (tmp_path / folder / "tdt2" / "TDT2.mat").touch()
    monkeypatch.setattr(place, "BESIDE", tmp_path / "beside")
    monkeypatch.delenv(place.VARIABLE, raising=False)
    assert place.locate("tdt2") == tmp_path / "beside" / "tdt2" / "TDT2.mat"
    monkeypatch.setenv(place.VARIABLE, str(tmp_path / "named"))
    assert place.locate("tdt2") == tmp_path / "named" / "tdt2" / "TDT2.mat"
    assert place.available() == ("tdt2",)


def test_an_unknown_corpus_is_refused():
    with pytest.raises(BadParameter, match="'tdt3'"):
        place.locate("tdt3")


@pytest.mark.parametrize(("folder_exists", "outcome"), [(False, {"skipped": 1}), (True, {"failed": 1})])
def test_a_marked_test_skips_only_where_neither_folder_exists(pytester, monkeypatch, folder_exists, outcome):
    monkeypatch.setenv(place.VARIABLE, str(pytester.path / "nowhere"))
    monkeypatch.setattr(place, "BESIDE", pytester.path / "beside")
    if folder_exists:
        (pytester.path / "beside").mkdir()
    pytester.makeconftest(CONFTEST.read_text())
    pytester.makepyfile("import pytest\nfrom corpora import tdt2\n\n@pytest.mark.corpus\ndef test_reads():\n    tdt2.load()\n")
    result = pytester.runpytest_inprocess("-rs")
    result.assert_outcomes(**outcome)
    result.stdout.re_match_lines([".*nowhere.*beside.*"])
