"""Every method at home in scikit-learn: pipelines, searches, names, frames, copies, labels, and every way to store a matrix."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse as sp
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline

from vicinal import LPI, LPP, LSI, OLPI, RLPI, CentroidClassifier, LaplacianEigenmap, Vectorizer
from vicinal.errors import BadData, FewerComponents
from vicinal.methods._graph_method import GraphMethod


def frame(X, kind):
    names = [f"word {number}" for number in range(X.shape[1])]
    return {"pandas": pd.DataFrame, "polars": pl.DataFrame}[kind](
        X.toarray(), **{"columns" if kind == "pandas" else "schema": names}
    )


# pipelines and searches


def test_a_pipeline_from_text_to_category_learns(linear_method, make, texts, y):
    dimensions = 3 if linear_method is LSI else 2  # it knows no labels, so it needs one for each of the three topics
    pipeline = make_pipeline(Vectorizer(min_df=2, max_df=0.6), make(linear_method, n_components=dimensions), CentroidClassifier())
    assert pipeline.fit(texts, y).score(texts, y) >= 0.9
    assert pipeline.predict(["the train stops at the station", "flour for the dough"]).tolist() == [1, 2]


def test_a_search_over_alpha_runs_and_picks_one_of_the_values(X, y):
    pipeline = make_pipeline(RLPI(2), CentroidClassifier())
    search = GridSearchCV(pipeline, {"rlpi__alpha": [0.01, 0.1, 1.0]}, cv=3, error_score="raise").fit(X, y)
    assert search.best_params_["rlpi__alpha"] in (0.01, 0.1, 1.0)
    assert search.best_score_ >= 0.8
    assert search.best_estimator_[0].alpha == search.best_params_["rlpi__alpha"]


def test_a_search_over_options_of_every_kind_runs(linear_method, make, X, y):
    known = make(linear_method).get_params()
    wanted = {"n_components": [2], "alpha": [0.1, 0.3], "weight": ["cosine", "binary"], "graph": ["knn", "complete"]}
    if known.get("n_terms") == "auto":
        wanted.pop("alpha")  # it would say how many words, too
    grid = {f"{linear_method.__name__.lower()}__{name}": values for name, values in wanted.items() if name in known}
    search = GridSearchCV(make_pipeline(linear_method(), CentroidClassifier()), grid, cv=2, error_score="raise").fit(X, y)
    assert np.isfinite(search.cv_results_["mean_test_score"]).all()


def test_cross_validation_in_two_processes_gives_the_scores_of_one(X, y):
    pipeline = make_pipeline(RLPI(2), CentroidClassifier())
    scores = [cross_val_score(pipeline, X, y, cv=3, n_jobs=n_jobs) for n_jobs in (1, 2)]
    assert np.array_equal(*scores)


# clone, copies, pickles


def test_a_clone_has_the_parameters_and_none_of_the_learning(method, make, X):
    model = make(method, n_components=2, alpha=0.7).fit(X)
    twin = clone(model)
    assert twin.get_params() == model.get_params()
    assert not [name for name in vars(twin) if name.endswith("_")]
    assert np.array_equal(twin.fit_transform(X), model.fit_transform(X))


def test_a_model_that_holds_a_graph_can_be_cloned(graph_method, make, X):
    W = (X @ X.T).toarray()
    assert np.array_equal(clone(make(graph_method, graph=W)).fit(X).eigenvalues_, make(graph_method, graph=W).fit(X).eigenvalues_)


@pytest.mark.parametrize("copied", [lambda model: pickle.loads(pickle.dumps(model)), copy.deepcopy], ids=["pickle", "deepcopy"])
@pytest.mark.parametrize("options", [{}, {"graph": "complete"}], ids=["knn", "complete"])
def test_a_copy_of_a_learnt_model_gives_the_same_bits(method, make, X, y, copied, options):
    model = make(method, **options).fit(X)
    twin = copied(model)
    if hasattr(model, "eigenvalues_"):
        assert np.array_equal(twin.eigenvalues_, model.eigenvalues_)
    if hasattr(model, "transform"):
        assert np.array_equal(twin.transform(X), model.transform(X))


def test_a_copy_of_a_model_learnt_with_labels_gives_the_same_bits(linear_method, make, X, y):
    model = make(linear_method, n_components=2).fit(X, y)
    assert np.array_equal(pickle.loads(pickle.dumps(model)).transform(X), model.transform(X))


# names


@pytest.mark.parametrize("kind", ["pandas", "polars"])
def test_frames_go_in_with_their_names_and_come_out_with_ours(linear_method, make, X, kind):
    table = frame(X, kind)
    model = make(linear_method).set_output(transform=kind).fit(table)
    embeddings = model.transform(table)
    names = [f"{linear_method.__name__.lower()}{number}" for number in range(3)]
    assert isinstance(embeddings, type(table))
    assert list(embeddings.columns) == names == model.get_feature_names_out().tolist()
    assert model.feature_names_in_.tolist() == list(table.columns)
    assert np.array_equal(embeddings.to_numpy(), make(linear_method).fit(X.toarray()).transform(X.toarray()))
    assert model.projection_.top_terms(0, 3)[0][0].startswith("word ")
    at_once = make(linear_method).set_output(transform=kind).fit_transform(table)
    assert at_once.equals(embeddings)


def test_pandas_keeps_the_index(linear_method, make, X):
    table = frame(X, "pandas").set_axis([f"note {number}" for number in range(36)])
    embeddings = make(linear_method).set_output(transform="pandas").fit(table).transform(table)
    assert embeddings.index.equals(table.index)


def test_sparse_documents_come_out_as_a_frame_too(linear_method, make, X):
    embeddings = make(linear_method).set_output(transform="pandas").fit_transform(X)
    assert embeddings.shape == (36, 3)


def test_an_eigenmap_remembers_the_names_it_saw(make, X):
    assert make(LaplacianEigenmap).fit(frame(X, "pandas")).feature_names_in_.tolist()[0] == "word 0"


@pytest.mark.parametrize("wrong", [slice(0, 40), slice(0, 1)])
def test_another_number_of_terms_is_refused_with_both_numbers(linear_method, make, X, wrong):
    model = make(linear_method).fit(X)
    assert model.n_features_in_ == 45
    given = X[:, wrong]
    with pytest.raises(
        ValueError, match=rf"X has {given.shape[1]} features, but {linear_method.__name__} is expecting 45 features"
    ):
        model.transform(given)


def test_other_names_are_refused(linear_method, make, X):
    table = frame(X, "pandas")
    model = make(linear_method).fit(table)
    with pytest.raises(ValueError, match="feature names"):
        model.transform(table[table.columns[::-1]])


def test_a_model_that_has_learnt_nothing_says_so(linear_method, X):
    with pytest.raises(NotFittedError, match=f"This {linear_method.__name__} instance is not fitted yet"):
        linear_method().transform(X)


def test_an_eigenmap_embeds_no_new_documents():
    assert not hasattr(LaplacianEigenmap, "transform")


def test_n_components_left_open_and_asked_for_agree(linear_method, X):
    few = linear_method(3, **({"n_neighbors": 6} if issubclass(linear_method, GraphMethod) else {})).fit(X)
    assert few.get_feature_names_out().shape == (3,)
    assert few.components_.shape == (3, 45)
    assert few.eigenvalues_.shape == (3,)


# labels


NAMES = np.array(["garden", "train", "bread"])


@pytest.mark.parametrize(
    "spelled",
    [
        lambda y: NAMES[y],
        lambda y: NAMES[y].astype(object),
        lambda y: NAMES[y].tolist(),
        lambda y: pd.Series(NAMES[y]),
        lambda y: pd.Series(NAMES[y], dtype="category"),
        lambda y: (y * 10 + 3).astype(np.uint8),
        lambda y: y.astype(np.float64),
        lambda y: y[:, None],
    ],
    ids=["str", "object", "list", "series", "categories", "uint8", "float", "column"],
)
def test_labels_may_be_spelled_in_any_way(graph_method, make, X, y, spelled):
    """What the classes are called changes nothing but their order, and that only the order or sign of dimensions."""
    expected = make(graph_method, n_components=2).fit_transform(X, y)
    embeddings = make(graph_method, n_components=2).fit_transform(X, spelled(y))
    np.testing.assert_allclose(embeddings @ embeddings.T, expected @ expected.T, atol=1e-8 * np.abs(expected).max() ** 2)


@pytest.mark.parametrize("missing", [-1, None], ids=["-1", "None"])
def test_text_labels_may_be_partial(graph_method, make, X, y, missing):
    known = np.arange(36) % 3 == 0
    numbers = make(graph_method, n_components=2).fit_transform(X, np.where(known, y, -1))
    text = np.array([NAMES[label] if given else missing for label, given in zip(y, known, strict=True)], dtype=object)
    embeddings = make(graph_method, n_components=2).fit_transform(X, text)
    np.testing.assert_allclose(embeddings @ embeddings.T, numbers @ numbers.T, atol=1e-8 * np.abs(numbers).max() ** 2)


@pytest.mark.parametrize("linear_method", [LPP, LPI, OLPI, RLPI], indirect=True)
def test_a_few_labels_pull_their_classes_apart(linear_method, make, X, y):
    partial = np.where(np.arange(36) % 3 == 0, y, -1)
    embeddings = make(linear_method, n_components=2).fit_transform(X, partial)
    unlabelled = partial < 0
    model = CentroidClassifier().fit(embeddings[~unlabelled], y[~unlabelled])
    assert model.score(embeddings[unlabelled], y[unlabelled]) >= 0.9


# every way to store a matrix


def split_entries(X):
    """Unsorted rows, one entry of each stored in two halves, and a zero stored."""
    entries = X.tocoo()
    starts = X.indptr[:-1]
    halved = entries.data.copy()
    halved[starts] /= 2
    data = np.concatenate([halved, halved[starts], [0.0]])
    rows = np.concatenate([entries.row, entries.row[starts], [5]])
    columns = np.concatenate([entries.col, entries.col[starts], [0]])
    order = np.lexsort((-columns, rows))
    indptr = np.concatenate([[0], np.cumsum(np.bincount(rows, minlength=X.shape[0]))]).astype(np.int32)
    return sp.csr_array((data[order], columns[order].astype(np.int32), indptr), shape=X.shape)


def with_wide_indices(X):
    return sp.csr_array((X.data, X.indices.astype(np.int64), X.indptr.astype(np.int64)), shape=X.shape)


STORED = {
    "csr_matrix": sp.csr_matrix,
    "csc_array": sp.csc_array,
    "csc_matrix": sp.csc_matrix,
    "coo_array": sp.coo_array,
    "lil_array": sp.lil_array,
    "int64 indices": with_wide_indices,
    "non-canonical": split_entries,
    "dense": lambda X: X.toarray(),
    "dense Fortran": lambda X: np.asfortranarray(X.toarray()),
    "dense slice": lambda X: np.repeat(X.toarray(), 2, axis=1)[:, ::2],
    "list of lists": lambda X: X.toarray().tolist(),
}


def test_the_non_canonical_matrix_is_one(X):
    stored = split_entries(X)
    assert not stored.has_canonical_format
    assert not stored.has_sorted_indices
    assert np.any(stored.data == 0)
    assert abs(stored - X).max() <= 1e-16


@pytest.mark.parametrize("stored", STORED)
def test_the_same_numbers_give_the_same_embeddings_however_they_are_stored(method, make, X, stored):
    expected = make(method).fit_transform(X)
    model = make(method).fit(STORED[stored](X))
    embeddings = model.transform(STORED[stored](X)) if hasattr(model, "transform") else model.embedding_
    np.testing.assert_allclose(embeddings, expected, rtol=0, atol=1e-12 * max(1.0, np.abs(expected).max()))


@pytest.mark.parametrize("stored", ["csr_matrix", "int64 indices", "non-canonical", "dense", "dense Fortran"])
def test_the_same_float32_numbers_give_the_same_embeddings_however_they_are_stored(method, make, X, stored):
    expected = make(method).fit_transform(X)
    embeddings = make(method).fit_transform(STORED[stored](X).astype(np.float32))
    np.testing.assert_allclose(embeddings, expected, rtol=0, atol=1e-5 * max(1.0, np.abs(expected).max()))


TYPES = [bool, np.int8, np.uint8, np.int32, np.int64, np.uint64, np.longdouble]


@pytest.mark.parametrize(("dtype", "dense"), [*((each, False) for each in TYPES), *((each, True) for each in (*TYPES, np.float16))])
def test_counts_of_any_type_are_counts(method, make, X, dtype, dense):
    counts = sp.csr_array((np.ones_like(X.data), X.indices, X.indptr), shape=X.shape)
    expected = make(method).fit_transform(counts)
    embeddings = make(method).fit_transform((counts.toarray() if dense else counts).astype(dtype))
    np.testing.assert_allclose(embeddings, expected, rtol=0, atol=1e-12 * max(1.0, np.abs(expected).max()))


NO_MATRIX = {
    "text": [["a", "b"], ["c", "d"]],
    "complex": np.array([[1 + 1j, 2.0], [0.5, 1.0]]),
    "one dimension": [1.0, 2.0, 3.0],
    "three dimensions": np.ones((2, 2, 2)),
}


@pytest.mark.parametrize("given", NO_MATRIX.values(), ids=NO_MATRIX.keys())
def test_what_is_no_matrix_of_numbers_is_refused(method, given):
    with pytest.raises(ValueError):
        method().fit(given)


@pytest.mark.parametrize("given", NO_MATRIX.values(), ids=NO_MATRIX.keys())
def test_what_is_no_matrix_of_numbers_is_bad_data(method, given):
    with pytest.raises(BadData):
        method().fit(given)


def test_a_warning_points_at_the_line_that_called_fit(method, make, X):
    with pytest.warns(FewerComponents) as seen:
        make(method, n_components=40).fit(X)
    assert [each.filename for each in seen if each.category is FewerComponents] == [__file__]
