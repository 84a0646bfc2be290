from __future__ import annotations

import pickle
from collections import Counter

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.naive_bayes import MultinomialNB
from sklearn.pipeline import make_pipeline

from vicinal.errors import BadData, BadParameter, EmptyCorpus, MissingExtra
from vicinal.terms import Tokenizer, Vectorizer, Weighting
from vicinal.terms._schemes import SCHEMES


def counting(**options):
    """A vectorizer that leaves the counts as they are and drops no term."""
    return Vectorizer("tf", **{"unit": False, "min_df": 1, "max_df": 1.0, **options})


def same_bits(left, right):
    return left.shape == right.shape and all(
        np.array_equal(getattr(left, part), getattr(right, part)) for part in ("data", "indices", "indptr")
    )


def column(vectorizer, matrix, term):
    return matrix.toarray()[:, vectorizer.vocabulary_[term]].tolist()


def test_rows_are_the_counts_of_the_tokens(texts):
    vectorizer = counting()
    counts = vectorizer.fit_transform(texts)
    for row, text in zip(counts.toarray(), texts, strict=True):
        assert {vectorizer.terms_[j]: row[j] for j in np.flatnonzero(row)} == Counter(Tokenizer()(text))


def test_counts_are_those_of_scikit_learn(texts):
    ours = Vectorizer("tf", unit=False, min_df=2, max_df=0.3, stop_words=["the", "and"], ngram_range=(1, 2))
    theirs = CountVectorizer(
        min_df=2, max_df=0.3, stop_words=["the", "and"], ngram_range=(1, 2), token_pattern=r"(?u)\b[^\W\d_][^\W_]+\b"
    )
    counts, expected = ours.fit_transform(texts), theirs.fit_transform(texts)
    assert ours.vocabulary_ == theirs.vocabulary_
    assert np.array_equal(counts.toarray(), expected.toarray())


def test_what_was_learnt_agrees_with_the_columns(texts):
    vectorizer = Vectorizer()
    X = vectorizer.fit_transform(texts)
    assert isinstance(X, sp.csr_array)
    assert X.dtype == np.float64
    assert X.has_canonical_format
    assert list(vectorizer.terms_) == sorted(vectorizer.terms_) == list(vectorizer.get_feature_names_out())
    assert all(type(term) is str for term in vectorizer.terms_)
    assert [vectorizer.vocabulary_[term] for term in vectorizer.terms_] == list(range(X.shape[1]))
    assert isinstance(vectorizer.weight_, Weighting)


@pytest.mark.parametrize("stem", [None, "english"])
@pytest.mark.parametrize("weight", SCHEMES)
def test_fit_transform_is_fit_and_transform_bit_for_bit(texts, weight, stem):
    together = Vectorizer(weight, stem=stem).fit_transform(texts)
    apart = Vectorizer(weight, stem=stem).fit(texts).transform(texts)
    assert same_bits(together, apart)


@pytest.mark.parametrize("weight", SCHEMES)
def test_a_row_does_not_depend_on_its_batch(texts, weight):
    vectorizer = Vectorizer(weight, stem="english").fit(texts)
    together = vectorizer.transform(texts)
    for row, text in enumerate(texts):
        assert same_bits(vectorizer.transform([text]), together[[row]])
    backwards = vectorizer.transform(texts[::-1])
    assert np.array_equal(backwards.toarray()[::-1], together.toarray())


def test_weights_are_those_of_a_weighting_on_the_counts(texts):
    counts = Vectorizer("tf", unit=False).fit_transform(texts)
    for scheme in SCHEMES:
        expected = Weighting(scheme, k1=0.9, b=0.4, unit=False).fit_transform(counts)
        assert same_bits(Vectorizer(scheme, k1=0.9, b=0.4, unit=False).fit_transform(texts), expected)


def test_an_empty_document_keeps_its_place(texts):
    X = Vectorizer().fit_transform(texts)
    assert X.shape[0] == len(texts)
    assert np.flatnonzero(np.diff(X.indptr) == 0).tolist() == [texts.index("")]


def test_unknown_words_are_ignored(texts):
    vectorizer = Vectorizer().fit(texts)
    known, unknown = (
        vectorizer.transform(["bread and salt", "bread and salt, zeppelins, xylophones"])[[0]],
        "zeppelins xylophones",
    )
    assert same_bits(known, vectorizer.transform([f"bread {unknown} salt"]))
    assert vectorizer.transform([unknown, ""]).nnz == 0


def test_no_documents_transform_to_no_rows(texts):
    vectorizer = Vectorizer().fit(texts)
    assert vectorizer.transform([]).shape == (0, len(vectorizer.terms_))


def test_stems_join_columns_and_their_counts_add_up(texts):
    words, stems = counting(), counting(stem="english")
    plain, stemmed = words.fit_transform(texts), stems.fit_transform(texts)
    assert column(words, plain, "stops") != column(words, plain, "stopped")
    together = np.add(column(words, plain, "stops"), column(words, plain, "stopped"))
    assert column(stems, stemmed, "stop") == together.tolist()
    assert not {"stops", "stopped"} & set(stems.terms_)
    assert np.array_equal(plain.sum(axis=1), stemmed.sum(axis=1))
    assert stemmed.shape[1] < plain.shape[1]


def test_a_form_never_seen_in_training_finds_its_stem(texts):
    vectorizer = counting(stem="english").fit(texts)
    assert "flooding" not in Vectorizer(min_df=1).fit(texts).vocabulary_
    assert column(vectorizer, vectorizer.transform(["flooding floods"]), "flood") == [2]


def test_every_word_of_an_ngram_is_stemmed():
    vectorizer = counting(stem="english", ngram_range=(2, 2))
    counts = vectorizer.fit_transform(["red roses", "red rose", "reds rose"])
    assert list(vectorizer.terms_) == ["red rose"]
    assert counts.toarray().ravel().tolist() == [1, 1, 1]


def test_stop_words_go_before_stems_come():
    vectorizer = counting(stem="english", stop_words=["using"])
    vectorizer.fit(["using used uses", "use using"])
    assert list(vectorizer.terms_) == ["use"]
    assert vectorizer.transform(["using used uses", "use using"]).toarray().ravel().tolist() == [2, 1]


def test_limits_count_the_documents_of_a_stem():
    texts = ["one rose", "two roses", "tulips", "tulip", "lily", "oak"]
    with pytest.raises(EmptyCorpus, match="min_df=2"):
        Vectorizer(min_df=2).fit(texts)
    assert list(Vectorizer(min_df=2, stem="english").fit(texts).terms_) == ["rose", "tulip"]
    assert "rose" not in Vectorizer(min_df=1, max_df=1, stem="english").fit(texts).vocabulary_
    assert "rose" in Vectorizer(min_df=1, max_df=1).fit(texts).vocabulary_


def test_a_document_with_two_forms_counts_once_for_its_stem():
    texts = ["rose roses", "oak", "ash", "elm"]
    with pytest.raises(EmptyCorpus):
        Vectorizer(min_df=2, stem="english").fit(texts)


def test_a_missing_stemmer_is_said_before_the_corpus_is_read(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "Stemmer", None)
    documents = iter(["never read"])
    with pytest.raises(MissingExtra, match=r"pip install vicinal\[stem\]"):
        Vectorizer(stem="english").fit(documents)
    assert next(documents) == "never read"


def test_max_terms_keeps_the_most_frequent(texts):
    vectorizer = counting(max_terms=3)
    kept = vectorizer.fit_transform(texts)
    everything = counting().fit_transform(texts)
    assert sorted(kept.sum(axis=0)) == sorted(everything.sum(axis=0))[-3:]
    assert list(vectorizer.terms_) == sorted(vectorizer.terms_)


def test_any_analyzer_decides_for_itself():
    vectorizer = counting(analyzer=lambda text: text.split("/"), stop_words=["The"], lowercase=True, ngram_range=(2, 2))
    counts = vectorizer.fit_transform(["The/a/a", "New York/The"])
    assert list(vectorizer.terms_) == ["New York", "The", "a"]
    assert counts.toarray().tolist() == [[0, 1, 2], [1, 1, 0]]


def test_an_analyzer_may_be_stemmed():
    vectorizer = counting(analyzer=str.split, stem="english")
    assert vectorizer.fit_transform(["roses rose", "rose"]).toarray().tolist() == [[2], [1]]


@pytest.mark.parametrize("wrap", [iter, tuple, np.array, pd.Series, lambda texts: (text for text in texts)])
def test_documents_may_come_in_any_series(texts, wrap):
    assert same_bits(Vectorizer().fit_transform(wrap(texts)), Vectorizer().fit_transform(texts))


def test_nothing_repeated_says_which_limit_and_what_to_do():
    with pytest.raises(EmptyCorpus, match=r"limits.*of 3 in 3 documents, 3 are in fewer than min_df=2.*Use min_df=1"):
        Vectorizer().fit(["roses", "trains", "bread"])


def test_one_document_can_be_learnt_from_when_the_limits_allow():
    X = Vectorizer(min_df=1, max_df=1.0).fit_transform(["bread and salt and bread"])
    assert X.shape == (1, 2)
    np.testing.assert_allclose(np.linalg.norm(X.toarray()), 1)


def test_no_documents_is_an_empty_corpus():
    with pytest.raises(EmptyCorpus, match="no documents"):
        Vectorizer().fit([])


@pytest.mark.parametrize("documents", [[""], ["the and", " ", "1984 !"], ["\U0001f642"]])
def test_documents_without_words_are_an_empty_corpus(documents):
    with pytest.raises(EmptyCorpus, match="splitting into tokens left no terms"):
        Vectorizer(min_df=1, max_df=1.0).fit(documents)


@pytest.mark.parametrize("method", ["fit", "fit_transform", "transform"])
def test_a_single_string_is_refused(texts, method):
    with pytest.raises(BadParameter, match="Pass a list"):
        getattr(Vectorizer().fit(texts), method)("bread and salt")


@pytest.mark.parametrize("method", ["fit", "fit_transform", "transform"])
@pytest.mark.parametrize("intruder", [None, b"bread", 3])
def test_a_document_that_is_no_text_is_named(texts, method, intruder):
    with pytest.raises(BadData, match="document 1 must be a str"):
        getattr(Vectorizer().fit(texts), method)(["bread", intruder])


def test_an_error_changes_nothing_that_was_learnt(texts):
    vectorizer = Vectorizer().fit(texts)
    before = pickle.dumps(vars(vectorizer))
    with pytest.raises(EmptyCorpus):
        vectorizer.fit(["roses", "trains"])
    assert pickle.dumps(vars(vectorizer)) == before


@pytest.mark.parametrize(
    "parameters",
    [
        {"weight": "idf"},
        {"k1": -1},
        {"b": 2},
        {"min_df": 0},
        {"max_df": 1.5},
        {"max_terms": 0},
        {"stem": "klingon"},
        {"ngram_range": (2, 1)},
        {"stop_words": "french"},
        {"language": "klingon"},
        {"language": 7},
        {"analyzer": "word"},
    ],
)
def test_parameters_that_cannot_work_are_refused_before_reading(parameters):
    documents = iter(["never read"])
    with pytest.raises(BadParameter, match=next(iter(parameters))):
        Vectorizer(**parameters).fit(documents)
    assert next(documents) == "never read"


def test_asking_before_learning_is_refused():
    for ask in (lambda v: v.transform(["bread"]), lambda v: v.get_feature_names_out()):
        with pytest.raises(NotFittedError):
            ask(Vectorizer())


def test_a_vectorizer_can_be_cloned_and_pickled(texts):
    original = Vectorizer("log-tfidf", stem="english", ngram_range=(1, 2), stop_words=["the"], max_terms=20)
    copy = clone(original)
    assert copy.get_params() == original.get_params()
    X = copy.fit_transform(texts)
    assert same_bits(pickle.loads(pickle.dumps(copy)).transform(texts), X)


def test_a_vectorizer_heads_a_pipeline(texts):
    labels = ["garden"] * 3 + ["train"] * 3 + ["bread"] * 5
    pipeline = make_pipeline(Vectorizer(stem="english"), MultinomialNB()).fit(texts, labels)
    assert pipeline.predict(["trains at the station"]).tolist() == ["train"]
    assert list(pipeline[:-1].get_feature_names_out()) == list(pipeline[0].terms_)


def test_learning_twice_forgets_the_first_time(texts):
    vectorizer = Vectorizer().fit(["red wine", "red rose", "white rose", "white wine"])
    assert same_bits(vectorizer.fit_transform(texts), Vectorizer().fit_transform(texts))
