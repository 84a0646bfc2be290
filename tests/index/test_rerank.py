"""Re-ranking: an encoder orders the first documents, and nothing else changes; the answer says so."""

from __future__ import annotations

import math

import numpy as np
import pytest

import vicinal
from tests.index.small import made
from vicinal.errors import BadData, BadParameter
from vicinal.index._search import rerank


class Fake:
    """Likes texts with a word, and remembers what it was given."""

    def __init__(self, word):
        self.word, self.given = word, []

    def encode(self, texts):
        self.given = list(texts)
        return np.array([[1.0, 0.0]] + [[float(self.word in text), 1.0] for text in texts[1:]])


@pytest.fixture(name="index", scope="module")
def small_index(tmp_path_factory):
    with vicinal.open(made(tmp_path_factory.mktemp("rerank") / "small.vic")) as index:
        yield index


QUERY = "baked bread in the oven"


def test_the_first_documents_come_in_the_order_of_the_encoder_and_equals_in_that_of_the_search(index):
    found = index.search(QUERY, 100)
    word = found[-1].passage.text.split()[-1].strip(".,")
    encoder = Fake(word)
    hits = index.search(QUERY, 100, rerank=encoder)
    liked = [hit.id for hit in found if word in encoder.given[1 + [each.id for each in found].index(hit.id)]]
    others = [hit.id for hit in found if hit.id not in liked]
    assert 0 < len(liked) < len(found)
    assert [hit.id for hit in hits] == liked + others != [hit.id for hit in found]
    assert encoder.given[0] == QUERY


def test_scores_and_reasons_stay_those_of_the_search_and_a_note_says_so(index):
    before = {hit.id: hit for hit in index.search(QUERY, 100)}
    hits = index.search(QUERY, 100, rerank=Fake("bread"))
    for hit in hits:
        assert hit.score == before[hit.id].score == math.fsum(hit.why.parts)
        assert hit.reranked in (0.0, pytest.approx(math.sqrt(0.5)))
        assert before[hit.id].reranked is None
    assert hits.total == index.search(QUERY, 100).total
    assert hits.notes[-1].startswith(f"the first {len(hits)} are in the order of an encoder (Fake)")
    assert not index.search(QUERY, 100).notes


def test_pages_of_reranked_documents_follow_one_another(index):
    whole = [hit.id for hit in index.search(QUERY, 6, rerank=Fake("flour"))]
    pages = [hit.id for start in (0, 2, 4) for hit in index.search(QUERY, 2, offset=start, rerank=Fake("flour"))]
    assert pages == whole


def test_documents_behind_the_first_hundred_stay_where_they_are(index, monkeypatch):
    monkeypatch.setattr(rerank, "N_RERANKED", 2)
    plain = [hit.id for hit in index.search(QUERY, 5)]
    hits = index.search(QUERY, 5, rerank=Fake("no such word"))
    assert [hit.id for hit in hits] == plain
    assert [hit.reranked is None for hit in hits] == [False, False, *[True] * (len(plain) - 2)]


def test_before_a_fit_and_for_several_queries(tmp_path):
    with vicinal.open(tmp_path / "x.vic", create=True) as index:
        index.add([vicinal.Document("a", "wheat wheat exports"), vicinal.Document("b", "wheat and a match")])
        [hits, _] = index.search_many(["wheat", "match"], rerank=Fake("match"))
        assert [hit.id for hit in hits] == ["b", "a"]
        assert [hit.id for hit in index.search("wheat")] == ["a", "b"]


def test_what_is_no_encoder_or_answers_badly_is_refused(index):
    with pytest.raises(BadParameter, match="rerank must be an encoder"):
        index.search(QUERY, rerank="minilm")

    class Bad:
        def encode(self, texts):
            return np.zeros((1, 2))

    with pytest.raises(BadData, match="one vector per text"):
        index.search(QUERY, rerank=Bad())
    assert index.search("zzzzqqq", rerank=Bad(), correct=False) == []


def test_a_vector_of_zeros_is_near_nothing(index):
    class Nothing:
        def encode(self, texts):
            return np.zeros((len(texts), 3))

    assert [hit.id for hit in index.search(QUERY, rerank=Nothing())] == [hit.id for hit in index.search(QUERY)]
