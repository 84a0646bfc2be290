"""Explanations: what the words contributed adds up to the number that was explained."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st

from tests.laws.toys import documents, lawful
from vicinal import LPI, LPP, LSI, OLPI, RLPI
from vicinal.projection import LinearMap


@pytest.fixture(
    params=[LSI(4), LPI(4), LPP(4), OLPI(4), RLPI(4), RLPI(4, center=True)],
    ids=["LSI", "LPI", "LPP centred", "OLPI", "RLPI", "RLPI centred"],
)
def fitted(request):
    return request.param.fit(documents())


def cosine(a, b):
    return a @ b / (np.linalg.norm(a) * np.linalg.norm(b))


def test_the_parts_of_a_coordinate_add_up_to_its_very_bits(fitted):
    X = documents()
    embeddings = fitted.transform(X)
    for i in range(0, 60, 7):
        for j in range(4):
            explanation = fitted.projection_.explain(X[[i]], j)
            assert explanation.total == embeddings[i, j]
            assert sum(explanation.parts.tolist(), 0.0) == embeddings[i, j]


def test_each_part_of_a_coordinate_is_the_word_times_its_weight(fitted):
    x = documents()[[3]]
    explanation = fitted.projection_.explain(x, 1)
    expected = x.data * fitted.components_[1, x.indices]
    np.testing.assert_array_equal(explanation.parts[: len(expected)], expected)
    assert len(explanation.parts) - len(expected) == (fitted.projection_.offset is not None)


def test_a_part_left_out_would_be_noticed(fitted):
    X = documents()
    explanation = fitted.projection_.explain(X[[3]], 1)
    assert explanation.parts[1:].sum() != fitted.transform(X)[3, 1]


def test_the_parts_of_a_similarity_add_up_to_the_cosine(fitted):
    X = documents()
    embeddings = fitted.transform(X)
    for i in range(0, 60, 7):
        for other in (0, 13, 59):
            explanation = fitted.projection_.explain_similarity(X[[i]], X[[other]])
            assert abs(explanation.total - cosine(embeddings[i], embeddings[other])) < 1e-12
            assert abs(explanation.parts.sum() - explanation.total) < 1e-12


def test_a_document_explains_its_similarity_to_itself_as_one(fitted):
    x = documents()[[5]]
    assert abs(fitted.projection_.explain_similarity(x, x).total - 1) < 1e-12


@lawful
@given(seed=st.integers(0, 10**6), centred=st.booleans(), narrow=st.booleans())
def test_bits_agree_for_any_weights_and_counts(seed, centred, narrow):
    rng = np.random.default_rng(seed)
    dtype = np.float32 if narrow else np.float64
    x = sp.csr_array(np.where(rng.random((1, 40)) < 0.5, rng.lognormal(sigma=3, size=(1, 40)), 0.0).astype(dtype))
    weights = rng.normal(size=(40, 3)) * 10.0 ** rng.integers(-6, 6, size=(40, 1))
    projection = LinearMap(weights, rng.normal(size=3) if centred else None)
    place = projection.transform(x)[0]
    assert [projection.explain(x, j).total for j in range(3)] == place.tolist()
    assert projection.transform(x.toarray())[0].tolist() == place.tolist()


def test_an_empty_document_has_nothing_to_explain(fitted):
    empty = sp.csr_array((1, 90))
    explanation = fitted.projection_.explain(empty, 0)
    assert explanation.total == 0
    assert explanation.terms == ()
    assert not fitted.transform(empty).any()
