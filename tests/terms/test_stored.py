"""Vectorizer and weighting made again from what was kept of them."""

from __future__ import annotations

import numpy as np
import pytest

from vicinal import Vectorizer, Weighting
from vicinal.errors import BadParameter

TEXTS = ["red roses and a rose", "white wine", "red wine and roses", "a garden of white roses", "gardens"]


def again(weighting):
    return Weighting.from_statistics(
        weighting.scheme,
        n_documents=weighting.n_documents_,
        document_frequencies=weighting.document_frequencies_,
        average_length=weighting.average_length_,
        k1=weighting.k1,
        b=weighting.b,
        unit=weighting.unit,
    )


@pytest.mark.parametrize("scheme", ["tf", "log-tf", "tfidf", "log-tfidf", "bm25"])
@pytest.mark.parametrize("unit", [True, False])
def test_a_weighting_made_again_weighs_to_the_last_bit_as_it_did(scheme, unit):
    counts = Vectorizer("tf", unit=False, min_df=1).fit_transform(TEXTS)
    first = Weighting(scheme, unit=unit).fit(counts)
    np.testing.assert_array_equal(again(first).transform(counts).toarray(), first.transform(counts).toarray())


def test_a_weighting_that_needs_more_than_three_facts_is_refused():
    with pytest.raises(BadParameter, match="Fit it on the counts"):
        Weighting.from_statistics("ncw", n_documents=1, document_frequencies=np.array([1]), average_length=1.0)


@pytest.mark.parametrize("stem", [None, "english"])
def test_a_vectorizer_made_again_reads_new_texts_as_it_did(stem):
    first = Vectorizer("bm25", min_df=1, max_df=1.0, stem=stem).fit(TEXTS)
    second = Vectorizer.from_vocabulary(first.terms_, again(first.weight_), min_df=1, max_df=1.0, stem=stem)
    new = ["a rose in the garden", "nothing known", "red red wine"]
    np.testing.assert_array_equal(second.transform(new).toarray(), first.transform(new).toarray())
    assert second.get_feature_names_out().tolist() == first.get_feature_names_out().tolist()


def test_terms_and_weights_must_agree():
    weighting = Weighting.from_statistics("tf", n_documents=2, document_frequencies=np.array([1, 2]), average_length=1.0)
    with pytest.raises(BadParameter, match="3 terms, of which 3 differ, and 2 frequencies"):
        Vectorizer.from_vocabulary(["a", "b", "c"], weighting)
    with pytest.raises(BadParameter, match="2 terms, of which 1 differ"):
        Vectorizer.from_vocabulary(["a", "a"], weighting)
