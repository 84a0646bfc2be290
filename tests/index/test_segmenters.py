"""Segmenters: documents and queries become the same words, an index remembers how, and pairs of characters are the default."""

from __future__ import annotations

import pytest

import vicinal
from tests.languages import SAMPLES, texts_of
from vicinal.errors import BadParameter, MissingExtra
from vicinal.terms import Tokenizer, _segmenters
from vicinal.terms._segmenters import SEGMENTERS

OF = {"zh": "jieba", "ja": "fugashi", "th": "pythainlp"}
QUERIES = {"zh": "火车", "ja": "電車", "th": "รถไฟ"}


def documents_of(code):
    return [vicinal.Document(f"{subject}/{i}", text) for i, (text, subject) in enumerate(zip(*texts_of(code), strict=True))]


@pytest.mark.parametrize("code", OF)
def test_search_and_clusters_are_right_and_the_index_remembers(tmp_path, code):
    for package in SEGMENTERS[OF[code]].packages:
        pytest.importorskip(package)
    with vicinal.open(tmp_path / "x.vic", create=True) as index:
        index.add(documents_of(code))
        index.fit(n_clusters=2, segmenter=OF[code])
    with vicinal.open(tmp_path / "x.vic") as index:
        assert index.info().options["segmenter"] == OF[code]
        for query in (SAMPLES[code].query, QUERIES[code]):
            found = index.search(query, 10)
            assert found
            assert {hit.id.split("/")[0] for hit in found} == {"trains"}
        subjects = [{hit.id.split("/")[0] for hit in index.members(each.number, limit=100)} for each in index.clusters()]
        assert sorted(map(len, subjects)) == [1, 1]
        words = {term for cluster in index.clusters() for term in cluster.terms}
        added = index.add([vicinal.Document("new", texts_of(code)[0][0])])
        assert added.embedded == 1
        index.fit(segmenter="none")
        assert {term for cluster in index.clusters() for term in cluster.terms} != words


def test_each_script_has_its_own_segmenter_and_other_scripts_stay_pairs():
    for name in SEGMENTERS.values():
        for package in name.packages:
            pytest.importorskip(package)
    words = Tokenizer(None, language=("zh", "ja", "th"), segmenter="pythainlp,jieba,fugashi")
    assert words.segmenter == ("fugashi", "jieba", "pythainlp")
    assert {"火车", "火车站"} <= set(words("火车站"))
    assert "駅" in set(words("東京駅で電車を待つ")) or "東京" in set(words("東京駅で電車を待つ"))
    assert "รถไฟ" in set(words("รถไฟมาแล้ว"))
    assert list(words("기차역에")) == list(Tokenizer(None, language="ko")("기차역에"))
    assert list(words("the station 火车")) == ["the", "station", "火车"]


@pytest.mark.parametrize("segmenter", ["nosuch", "jieba,nosuch", 7])
def test_an_unknown_segmenter_is_refused(segmenter):
    with pytest.raises(BadParameter, match="segmenter must be one or several of fugashi, jieba, pythainlp"):
        Tokenizer(segmenter=segmenter)


def test_a_package_that_is_missing_is_named(tmp_path, monkeypatch):
    monkeypatch.setattr(_segmenters, "find_spec", lambda package: None)
    with vicinal.open(tmp_path / "x.vic", create=True) as index:
        index.add(documents_of("zh"))
        with pytest.raises(
            MissingExtra, match=r"segmenter=jieba needs jieba, which is not installed\. Run pip install vicinal\[seg"
        ):
            index.fit(n_clusters=2, segmenter="jieba")
        assert index.info().options == {}
