"""The same input gives the same bits: in every run, on any number of threads, in any batch; and the input stays as it was."""

from __future__ import annotations

import json
import os
import runpy
import subprocess
import sys
from functools import cache
from pathlib import Path

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.base import clone
from threadpoolctl import threadpool_limits

from vicinal import RLPI, CentroidClassifier, LaplacianEigenmap, Topics, Vectorizer, Weighting, cluster

SCRIPT = Path(__file__).with_name("fingerprints.py")
script = runpy.run_path(str(SCRIPT))
VARIANTS, learnt, digest = script["VARIANTS"], script["learnt"], script["digest"]


@pytest.fixture(scope="module")
def large():
    return script["corpus"]()


def on_threads(model, X, n_threads):
    """A copy of a model, fitted on so many threads of ours and of the libraries."""
    model = clone(model).set_params(n_jobs=n_threads) if "n_jobs" in model.get_params() else clone(model)
    with threadpool_limits(limits=n_threads):
        return model.fit(X)


@pytest.fixture(scope="module")
def fitted(large):
    """Every variant as it is fitted on one thread, to sparse or dense documents: fitted once, and never changed."""
    return cache(lambda name, dense=False: on_threads(VARIANTS[name], large.toarray() if dense else large, 1))


@pytest.mark.parametrize("dense", [False, True], ids=["sparse", "dense"])
@pytest.mark.parametrize("name", VARIANTS)
def test_two_runs_on_one_and_two_threads_of_ours_and_of_the_libraries_give_the_same_bits(name, large, fitted, dense):
    other = on_threads(VARIANTS[name], large.toarray() if dense else large, 2)
    assert digest(learnt(other)) == digest(learnt(fitted(name, dense)))


def printed_with(hash_seed, threads):
    limits = {name: str(threads) for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")}
    environment = {**os.environ, **limits, "PYTHONHASHSEED": str(hash_seed)}
    done = subprocess.run([sys.executable, str(SCRIPT)], env=environment, capture_output=True, text=True, check=True, timeout=300)
    return json.loads(done.stdout)


def test_a_fresh_process_with_another_hash_seed_and_other_threads_learns_the_same_bits(large, fitted):
    fresh = printed_with(2 if os.environ.get("PYTHONHASHSEED") == "1" else 1, 2)
    here = {name: digest(learnt(fitted(name))) for name in VARIANTS}
    assert fresh == {"corpus": digest(large.data) + digest(large.indices), **here}


def test_topics_have_the_same_bits_on_any_number_of_threads_of_ours_and_of_the_libraries(large):
    found = []
    for n_jobs, limit in ((1, 1), (2, 1), (2, 2)):
        with threadpool_limits(limits=limit):
            model = Topics(7, n_jobs=n_jobs).fit(large)
        parts = (model.labels_, model.uncertainty_, model.typicality_, model.projection_.weights, model.rule_.scores.weights)
        found.append([digest(part) for part in (*parts, model.predict_proba(large))])
    assert found[0] == found[1] == found[2]


def test_a_digest_sees_the_last_bit(large):
    changed = large.data.copy()
    changed[0] = np.nextafter(changed[0], 1.0)
    assert digest(changed) != digest(large.data)


@pytest.mark.parametrize("dense", [False, True], ids=["sparse", "dense"])
@pytest.mark.parametrize("name", [name for name in VARIANTS if name != "LaplacianEigenmap"])
def test_a_document_is_embedded_by_itself_whatever_the_batch(name, large, fitted, dense):
    X, model = large.toarray() if dense else large, fitted(name, dense)
    batch = model.transform(X)
    rows = range(0, 700, 7)
    assert np.array_equal(np.vstack([model.transform(X[[row]]) for row in rows]), batch[list(rows)])
    assert np.array_equal(model.transform(X[100:450]), batch[100:450])
    backwards = np.arange(700)[::-1]
    assert np.array_equal(model.transform(X[backwards]), batch[backwards])


def test_sparse_and_dense_documents_are_embedded_at_the_same_bits(linear_method, make, X):
    model = make(linear_method).fit(X)
    assert np.array_equal(model.transform(X), model.transform(X.toarray()))


def test_every_other_transformer_and_classifier_is_blind_to_the_batch(texts, X, y):
    vectorizer = Vectorizer(min_df=2).fit(texts)
    weighting = Weighting().fit((X > 0).astype(np.float64))
    classifiers = [CentroidClassifier(metric).fit(X, y).decision_function for metric in ("cosine", "euclidean")]
    weighted = (weighting.transform((X > 0).astype(float)), lambda i: weighting.transform((X[[i]] > 0).astype(float)))
    pairs = [(vectorizer.transform(texts), lambda i: vectorizer.transform([texts[i]])), weighted]
    pairs += [(decide(X), lambda i, decide=decide: decide(X[[i]])) for decide in classifiers]
    for batch, one in pairs:
        rows = [sp.csr_array(one(i)).toarray() for i in range(36)]
        assert np.array_equal(np.vstack(rows), batch.toarray() if sp.issparse(batch) else batch)


@pytest.mark.parametrize("labelled", [False, True], ids=["no labels", "labels"])
def test_fit_transform_gives_the_bits_of_fit_then_transform(linear_method, make, X, y, labelled):
    labels = np.where(np.arange(36) % 2, y, -1) if labelled else None
    options = {"n_components": 2}
    at_once = make(linear_method, **options).fit_transform(X, labels)
    assert np.array_equal(at_once, make(linear_method, **options).fit(X, labels).transform(X))


def test_fit_transform_of_an_eigenmap_is_its_embedding(make, X):
    model = make(LaplacianEigenmap)
    assert np.array_equal(model.fit_transform(X), model.embedding_)


@pytest.mark.parametrize("name", VARIANTS)
def test_fitting_again_gives_the_same_bits_and_remembers_nothing(name, large, fitted):
    model = clone(VARIANTS[name]).fit(large[:300, :1000])
    assert digest(learnt(model)) != digest(learnt(fitted(name)))
    assert digest(learnt(model.fit(large))) == digest(learnt(fitted(name)))


def test_fit_on_some_documents_embeds_them_as_among_all(linear_method, make, X):
    some = np.arange(0, 36, 2)
    model = make(linear_method)
    embeddings = model.fit_transform(X[some])
    assert np.array_equal(model.transform(X)[some], embeddings)


def test_clusters_do_not_depend_on_run_or_threads(large):
    Z = RLPI(6).fit_transform(large)
    found = [cluster(Z, 7, n_init=4, n_jobs=n_jobs) for n_jobs in (1, 2, 2)]
    assert len({digest(each.labels) for each in found}) == 1
    assert len({digest(each.centroids) for each in found}) == 1


def frozen(X):
    """The same matrix over arrays that refuse to be written to."""
    X = X.copy()
    for array in (X.data, X.indices, X.indptr) if sp.issparse(X) else (X,):
        array.flags.writeable = False
    return X


def disordered(X):
    """The same matrix with its rows unsorted, an entry split in two, and a zero stored."""
    indptr = X.indptr + np.arange(len(X.indptr)) * 2
    data, indices = [], []
    for row in range(X.shape[0]):
        entries = slice(X.indptr[row], X.indptr[row + 1])
        own, columns = X.data[entries][::-1], X.indices[entries][::-1]
        absent = next(column for column in range(X.shape[1]) if column not in columns)
        data.append(np.concatenate([[own[0] / 2, 0.0], own[1:], [own[0] / 2]]))
        indices.append(np.concatenate([[columns[0], absent], columns[1:], [columns[0]]]))
    return sp.csr_array((np.concatenate(data), np.concatenate(indices).astype(np.int32), indptr.astype(np.int32)), shape=X.shape)


def on_disk(X, folder):
    path = folder / "rows.bin"
    X.toarray().tofile(path)
    return np.memmap(path, dtype=np.float64, mode="r", shape=X.shape)


FORMS = {
    "sparse": lambda X, folder: frozen(X),
    "unsorted sparse": lambda X, folder: frozen(disordered(X)),
    "sparse matrix": lambda X, folder: frozen(sp.csr_matrix(X)),
    "csc": lambda X, folder: frozen(sp.csc_array(X)),
    "float32": lambda X, folder: frozen(X.astype(np.float32)),
    "dense": lambda X, folder: frozen(X.toarray()),
    "dense Fortran": lambda X, folder: frozen(np.asfortranarray(X.toarray())),
    "memmap": on_disk,
}


@pytest.fixture(scope="module")
def expected():
    """The embeddings of documents by each method, made once."""
    kept = {}

    def embeddings(method, model, X):
        if method not in kept:
            kept[method] = model.fit_transform(X)
        return kept[method]

    return embeddings


@pytest.mark.parametrize("form", FORMS)
def test_input_that_cannot_be_written_to_is_read_and_stays_as_it_was(method, make, X, y, form, tmp_path, expected):
    given = FORMS[form](X, tmp_path)
    arrays = (given.data, given.indices, given.indptr) if sp.issparse(given) else (given,)
    before = [digest(array) for array in arrays]
    labels = np.where(np.arange(36) % 2, y, -1)
    labels.flags.writeable = False
    found = make(method).fit_transform(given)
    make(method, n_components=2).fit(given, labels)
    assert [digest(array) for array in arrays] == before
    wanted = expected(method, make(method), X)
    tolerance = 1e-5 if form == "float32" else 1e-12
    np.testing.assert_allclose(found, wanted, atol=tolerance * np.abs(wanted).max())


@pytest.mark.parametrize("form", FORMS)
def test_input_that_can_be_written_to_is_not(method, make, X, form, tmp_path):
    given = FORMS[form](X, tmp_path)
    given = np.array(given, order="K", copy=True) if isinstance(given, np.ndarray) else given.copy()
    arrays = (given.data, given.indices, given.indptr) if sp.issparse(given) else (given,)
    assert all(array.flags.writeable for array in arrays)
    before = [digest(array) for array in arrays]
    model = make(method).fit(given)
    if hasattr(model, "transform"):
        model.transform(given)
    assert [digest(array) for array in arrays] == before


def test_a_graph_that_is_given_stays_as_it_was(graph_method, make, X):
    W = np.asarray((X @ X.T).toarray())
    W.flags.writeable = False
    before = digest(W)
    make(graph_method, graph=W).fit(X)
    make(graph_method, graph=frozen(sp.csr_array(W))).fit(X)
    assert digest(W) == before


def test_what_comes_out_does_not_share_memory_with_what_went_in(method, make, X):
    dense = X.toarray()
    found = make(method).fit_transform(dense)
    kept = found.copy()
    dense[:] = 0.0
    assert np.array_equal(found, kept)
