"""What is text and what is numbers, and how each is read."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from sklearn.base import clone
from sklearn.exceptions import DataConversionWarning

from tests.laws.subjects import counted, planted
from vicinal import Classifier, Topics, Vectorizer
from vicinal.errors import BadData, BadParameter, EmptyCorpus, TooFewTerms
from vicinal.uses._document_input import are_texts, as_series, classes_of, is_counts, is_empty_series, learn_to_read, learn_to_weigh


class Foreign:
    """An array of another library: it can be turned into one of NumPy's and refuses all else."""

    def __init__(self, data):
        self.data = np.asarray(data)

    def __array__(self, dtype=None, copy=None):
        return self.data

    def __array_function__(self, func, types, args, kwargs):
        raise TypeError(f"{func.__name__} is not for us")


@pytest.mark.parametrize(
    "documents",
    [
        ["a", "b"],
        ("a",),
        np.array(["a", "b"]),
        np.array(["a", "b"], dtype=object),
        pd.Series(["a"], index=[4]),
        {"a"},
        "a",
        b"a",
        [None, "a"],
        (None, "a"),
        np.array([None, "a"], dtype=object),
        pd.Series([np.nan, "a"]),
        [None],
        [b"a"],
    ],
)
def test_these_are_texts(documents):
    assert are_texts(documents)


@pytest.mark.parametrize(
    "documents",
    [
        [[1, 2]],
        np.eye(2),
        np.array([["a", "b"]]),
        sp.eye_array(3),
        pd.DataFrame({"t": ["a"]}),
        Foreign(np.eye(2)),
        [],
        None,
        3,
        [1, 2],
    ],
)
def test_these_are_not(documents):
    assert not are_texts(documents)


@pytest.mark.parametrize(
    "empty", [[], (), np.array([]), np.array([], dtype=object), np.array([], dtype=str), pd.Series([], dtype=object)]
)
def test_these_are_no_documents_at_all(empty):
    assert is_empty_series(empty)
    assert not are_texts(empty)


@pytest.mark.parametrize("documents", [["a"], np.zeros((0, 3)), sp.csr_array((0, 3)), pd.DataFrame({"a": []}), "", b"", None, 0])
def test_these_are_some_or_have_a_shape_or_are_no_series(documents):
    assert not is_empty_series(documents)


def test_what_can_be_read_once_is_kept_and_all_else_is_left_as_it_is():
    assert as_series(word for word in "ab") == ["a", "b"]
    for kept in (["a"], np.eye(2), sp.eye_array(2), pd.Series(["a"]), Foreign(np.eye(2)), "text", None, 3):
        assert as_series(kept) is kept


@pytest.mark.parametrize("make", [np.array, sp.csr_array])
def test_counts_are_whole_and_not_below_zero(make):
    assert is_counts(make([[1.0, 2.0], [0.0, 3.0]]))
    assert not is_counts(make([[1.0, 2.5], [0.0, 3.0]]))
    assert not is_counts(make([[1.0, -2.0], [0.0, 3.0]]))


def test_texts_become_the_counts_that_the_vectorizer_gives_and_unit_weights():
    texts, _ = planted()
    reader, counts = learn_to_read(texts, None, "Topics", Vectorizer())
    np.testing.assert_array_equal(counts.toarray(), Vectorizer("tf", unit=False).fit_transform(texts).toarray())
    np.testing.assert_array_equal(reader.weights(counts).toarray(), Vectorizer().fit_transform(texts).toarray())
    np.testing.assert_array_equal(reader.counts(texts[:3]).toarray(), counts[:3].toarray())
    np.testing.assert_allclose(reader.log_counts(counts).toarray(), np.log1p(counts.toarray()))


def test_weights_are_scaled_to_length_one_and_count_by_being_there():
    X = counted()[0] * 0.3
    reader = learn_to_weigh(X, "Topics")
    np.testing.assert_allclose(np.linalg.norm(reader.weights(X).toarray(), axis=1), 1)
    np.testing.assert_array_equal(reader.log_counts(X).toarray(), (X.toarray() > 0).astype(float))
    with pytest.raises(BadData, match="fitted to rows of numbers, got texts"):
        reader.counts(["a text"])


def test_where_numbers_are_negative_nothing_is_counted():
    assert learn_to_weigh(np.array([[1.0, -0.5], [0.5, 1.0]]), "Topics").log_counts(np.eye(2)) is None


def test_a_count_below_zero_later_is_refused():
    X, _ = counted()
    with pytest.raises(BadData, match="Negative values in data passed to Topics: -1 in row 0"):
        learn_to_weigh(X, "Topics").log_counts(-X.sign())


def test_another_vectorizer_is_refused():
    with pytest.raises(BadParameter, match=r"vectorizer must be None or a vicinal\.Vectorizer"):
        learn_to_read(["a text"], object(), "Topics", Vectorizer())


TEXTS = ["wheat and corn", "corn harvest", "wheat harvest", "a goal in the match", "the match was won", "goal won"]
CLASSES = ["farm", "farm", "farm", "sport", "sport", "sport"]


@pytest.mark.parametrize("estimator", [Topics(2), Classifier()], ids=lambda each: type(each).__name__)
def test_each_estimator_speaks_of_itself_where_documents_are_not_what_it_was_fitted_to(estimator):
    name, counts = type(estimator).__name__, np.eye(6) + 1
    by_texts = clone(estimator).fit(TEXTS, CLASSES)
    with pytest.raises(BadData, match=f"{name} was fitted to texts, got ndarray"):
        by_texts.predict(counts)
    by_rows = clone(estimator).fit(counts, CLASSES)
    with pytest.raises(BadData, match=f"{name} was fitted to rows of numbers, got texts"):
        by_rows.predict(TEXTS)
    for fitted in (by_texts, by_rows):
        with pytest.raises(EmptyCorpus, match="there are no documents: got an empty list"):
            fitted.predict([])
    with pytest.raises(BadData, match=f"Negative values in data passed to {name}: -1 in row 0, column 0"):
        by_rows.predict(-np.eye(6))
    with pytest.raises(TooFewTerms, match=rf"at least two terms, got 1 .*{name}\(vectorizer=Vectorizer\(min_df=1\)\)"):
        clone(estimator).set_params(vectorizer=Vectorizer(max_df=1.0)).fit(["rose"] * 6, CLASSES)


@pytest.mark.parametrize("y", [[[3], [1], [3], [1]], np.array([[3], [1], [3], [1]])], ids=["list", "array"])
@pytest.mark.parametrize("estimator", [Topics(2), Classifier(share=0.0)], ids=lambda each: type(each).__name__)
def test_a_column_of_labels_is_one_label_per_document_and_is_warned_of(estimator, y):
    with pytest.warns(DataConversionWarning):
        fitted = clone(estimator).fit([[2, 0], [0, 2], [3, 0], [1, 3]], y)
    assert fitted.classes_.tolist() == [1, 3]


def test_classes_are_sorted_and_without_those_of_documents_that_do_not_count():
    names, classes = classes_of(["c", None, "a", "b", -1, "a"], 6, np.array([True, True, True, False, True, True]))
    assert names == ["a", "c"]
    np.testing.assert_array_equal(classes, [1, -1, 0, -1, -1, 0])


def test_names_of_classes_have_the_type_of_the_labels():
    names, _ = classes_of(np.array([7, 5, 7], dtype=np.int16), 3)
    assert names.dtype == np.int16
    assert names.tolist() == [5, 7]


@pytest.mark.parametrize("library", ["pandas", "polars"])
@pytest.mark.parametrize("estimator", [Topics(), Classifier()], ids=["Topics", "Classifier"])
def test_a_data_frame_with_texts_is_refused_with_the_column_to_pass(library, estimator):
    frame = pytest.importorskip(library).DataFrame(
        {"id": ["a", "b", "c"], "words": [3, 4, 5], "text": ["a long article " * 400] * 3}
    )
    with pytest.raises(BadData, match=r"texts in column 'text' among 3 columns. Pass it: df\['text'\]") as caught:
        estimator.fit(frame, [0, 1, -1])
    assert len(str(caught.value)) < 200


def test_a_message_has_the_beginning_of_a_document_alone():
    with pytest.raises(BadData) as caught:
        Topics().fit(np.array([["a long article " * 400, "b"]] * 3, dtype=object))
    assert len(str(caught.value)) < 500
    assert "…" in str(caught.value)
