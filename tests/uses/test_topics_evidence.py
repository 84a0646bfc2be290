"""Topics with evidence besides terms: vectors, clusterings and links help where terms confirm them, and are left out where not."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp

from tests.laws.subjects import counted, planted
from vicinal import Topics
from vicinal.errors import BadData, BadLabels, BadParameter, UnconfirmedEvidence
from vicinal.graph import complete, knn, links
from vicinal.metrics import normalized_mutual_info
from vicinal.projection._projection import embed

TEXTS, SUBJECT = planted(sizes=(60, 50, 40, 30), own=3, astray=3, seed=1)
RNG = np.random.default_rng(0)
N = len(TEXTS)
VECTORS = np.eye(4)[SUBJECT] + 0.25 * RNG.normal(size=(N, 4))
PAIRS = [(i, j) for i, j in RNG.integers(0, N, (2000, 2)) if i != j and SUBJECT[i] == SUBJECT[j]]
ALONE = Topics(4).fit(TEXTS)


def found(**evidence):
    return Topics(4).fit(TEXTS, **evidence)


EVIDENCE = {
    "vectors": {"embeddings": VECTORS},
    "single precision": {"embeddings": VECTORS.astype(np.float32)},
    "sparse vectors": {"views": [sp.csr_array(np.maximum(VECTORS, 0))]},
    "links": {"views": [links(PAIRS, N)]},
    "clustering": {"views": [np.where(RNG.random(N) < 0.15, -1, SUBJECT)]},
    "clustering by names": {"views": [[None if i % 7 == 0 else "abcd"[s] for i, s in enumerate(SUBJECT)]]},
    "all": {"embeddings": VECTORS, "views": [SUBJECT, links(PAIRS, N), knn(VECTORS, 9)]},
}


@pytest.mark.parametrize("kind", EVIDENCE)
def test_good_evidence_of_any_kind_gives_better_views_than_terms(kind):
    by_terms = {view.name for view in ALONE.views_}
    of_evidence = [view for view in found(**EVIDENCE[kind]).views_ if view.name not in by_terms]
    alone, given = (np.mean([agreement_with_subjects(view) for view in views]) for views in (ALONE.views_, of_evidence))
    assert given > alone + 0.02


def agreement_with_subjects(view):
    return normalized_mutual_info(SUBJECT, view.labels)


@pytest.mark.filterwarnings("ignore::vicinal.errors.UnstableClusters", "ignore::vicinal.errors.ClusterCount")
def test_vectors_make_clusters_better_where_terms_alone_find_little():
    gained = []
    for seed in range(4):
        texts, subject = planted(sizes=(240, 200, 160, 120), own=3, astray=4, seed=seed)
        vectors = np.eye(4)[subject] + 0.25 * np.random.default_rng(seed).normal(size=(len(texts), 4))
        fits = (Topics(4).fit(texts, embeddings=given) for given in (vectors, None))
        gained.append(np.subtract(*(normalized_mutual_info(subject, each.labels_) for each in fits)))
    assert np.mean(gained) > 0
    assert min(gained) > -0.15  # clusters are a rule about terms, and which rule is found is luck where these say so little


def test_new_documents_need_no_encoder_and_explanations_add_up():
    topics = found(embeddings=VECTORS)
    np.testing.assert_array_equal(topics.predict(TEXTS), topics.labels_)
    for cluster in range(4):
        explanation = topics.explain(TEXTS[3], cluster)
        rows = topics._reader.rule_input(topics._reader.counts(TEXTS[3:4]))
        assert explanation.parts.sum() == pytest.approx(explanation.total)
        assert explanation.total == pytest.approx(embed(topics.rule_.scores, rows)[0, cluster])


@pytest.mark.parametrize("seed", range(5))
def test_random_vectors_and_links_change_no_bit(seed):
    rng = np.random.default_rng(seed)
    noise = rng.normal(size=(N, 32))
    pairs = [(i, j) for i, j in rng.integers(0, N, (400, 2)) if i != j]
    for evidence in ({"embeddings": noise}, {"views": [links(pairs, N)]}, {"views": [rng.integers(0, 4, N)]}):
        with pytest.warns(UnconfirmedEvidence, match="no more than by chance"):
            topics = found(**evidence)
        np.testing.assert_array_equal(topics.labels_, ALONE.labels_)
        np.testing.assert_array_equal(topics.predict_proba(TEXTS), ALONE.predict_proba(TEXTS))


def test_rows_in_another_order_are_noticed():
    with pytest.warns(UnconfirmedEvidence, match="Compare the order of its rows"):
        found(embeddings=VECTORS[RNG.permutation(N)])


def test_nothing_given_is_nothing_changed():
    np.testing.assert_array_equal(found(views=[]).predict_proba(TEXTS), ALONE.predict_proba(TEXTS))


def test_views_say_what_they_are_of():
    names = [view.name for view in found(embeddings=VECTORS, views=[SUBJECT]).views_]
    assert {name.split(",")[0] for name in names} == {"terms", "latent", "LSI", "embeddings", "embeddings and terms", "views[0]"}


def test_labels_and_evidence_go_together():
    y = np.where(np.arange(N) % 10 == 0, SUBJECT, -1)
    topics = Topics(4).fit(TEXTS, y, embeddings=VECTORS)
    assert (topics.labels_[y >= 0] == y[y >= 0]).all()
    assert any(view.name.startswith("embeddings") for view in topics.views_)


@pytest.mark.filterwarnings("ignore::vicinal.errors.UnstableClusters")  # by rounding, on some machines
def test_a_sample_of_the_documents_takes_its_rows_of_every_evidence():
    topics = Topics(4, max_documents=120).fit(TEXTS, **EVIDENCE["all"])
    assert len(topics.sample_) == 120
    viewed = {view.name.split(",")[0]: view.labels for view in topics.views_}
    assert {"embeddings", "views[0]", "views[1]", "views[2]"} <= set(viewed)
    assert normalized_mutual_info(SUBJECT[topics.sample_], viewed["embeddings"]) > 0.6


def test_weights_that_cannot_be_counted_take_evidence_by_its_share():
    X, topic = counted(n_topics=3)
    X = X.toarray() - X.toarray().mean(axis=0)
    vectors = np.eye(3)[topic] + 0.2 * RNG.normal(size=(len(topic), 3))
    topics = Topics(3).fit(X, embeddings=vectors)
    shares = {view.name.split(",")[0]: view.share for view in topics.views_}
    assert 0 < shares["embeddings"] <= 1 == shares["terms"]


def test_a_document_without_a_vector_keeps_its_terms():
    vectors = VECTORS.copy()
    vectors[::5] = 0.0
    assert (found(embeddings=vectors).labels_ >= 0).all()


BAD = {
    "rows": ({"embeddings": VECTORS[:-1]}, BadData, f"embeddings has {N - 1} rows but there are {N} documents"),
    "nan": ({"embeddings": np.where(VECTORS > 1, np.nan, VECTORS)}, BadData, "embeddings must be numbers.*NaN in row"),
    "texts": ({"embeddings": [["a"]] * N}, BadData, "embeddings must be numbers"),
    "one row": ({"embeddings": VECTORS[0]}, BadData, "embeddings must be numbers.*two dimensions"),
    "zeros": ({"embeddings": np.zeros((N, 3))}, BadData, "nothing but zeros"),
    "view rows": ({"views": [SUBJECT, VECTORS[1:]]}, BadData, rf"views\[1\] has {N - 1} rows"),
    "view labels": ({"views": [SUBJECT[1:]]}, BadLabels, rf"views\[0\] is not a clustering.*{N}"),
    "graph": ({"views": [links([(0, 1)], N + 1)]}, BadData, rf"views\[0\] has {N + 1} rows"),
    "unstored graph": ({"views": [complete(np.abs(VECTORS))]}, BadParameter, r"views\[0\] must be a graph whose edges are stored"),
    "an array of views": ({"views": VECTORS}, BadParameter, "views must be a list"),
    "one view": ({"views": links(PAIRS, N)}, BadParameter, "views must be a list"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_evidence_is_refused_and_nothing_is_changed(case):
    evidence, error, said = BAD[case]
    topics = Topics(4).fit(TEXTS)
    before = topics.rule_
    with pytest.raises(error, match=said):
        topics.fit(TEXTS, **evidence)
    assert topics.rule_ is before


def test_evidence_is_not_changed():
    vectors = VECTORS.copy()
    found(embeddings=vectors)
    np.testing.assert_array_equal(vectors, VECTORS)
