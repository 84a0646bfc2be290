"""What comes in from outside: matrices, counts, numbers, choices, labels."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp

from vicinal._validate import check_choice, check_count, check_labels, check_number, check_terms, refuse_extreme, refuse_infinite
from vicinal.errors import BadData, BadLabels, BadParameter, EmptyCorpus

# counts, numbers, choices


@pytest.mark.parametrize("value", [3, np.int64(3), np.uint8(3)])
def test_whole_numbers_of_any_kind_are_counts(value):
    count = check_count("n", value)
    assert (count, type(count)) == (3, int)


@pytest.mark.parametrize("value", [0, -1, 3.0, np.float64(3), "3", None, True, np.True_, np.nan, [3]])
def test_what_is_no_count_is_refused_with_name_and_value(value):
    with pytest.raises(BadParameter, match=r"n_terms must be a whole number of at least 1, got .*Use n_terms=1 or more"):
        check_count("n_terms", value)


def test_a_count_may_start_elsewhere():
    assert check_count("n", 0, 0) == 0
    with pytest.raises(BadParameter, match="at least 5, got 4"):
        check_count("n", 4, 5)


@pytest.mark.parametrize("value", [0, 0.5, np.float32(0.5), 7])
def test_finite_numbers_are_numbers(value):
    number = check_number("alpha", value)
    assert number == value
    assert type(number) is float


@pytest.mark.parametrize("value", [-1e-9, np.nan, np.inf, -np.inf, "0.5", None, True, np.False_, 1j, [0.5]])
def test_what_is_no_number_is_refused_with_name_and_value(value):
    with pytest.raises(BadParameter, match="alpha must be a finite number of at least 0, got"):
        check_number("alpha", value)


def test_a_bound_may_be_out_of_bounds_itself():
    assert check_number("radius", 1.5, 1.0, above=True) == 1.5
    with pytest.raises(BadParameter, match=r"greater than 1, got 1\.0"):
        check_number("radius", 1.0, 1.0, above=True)


@pytest.mark.parametrize("value", ["DENSE", "", None, 0, ("dense",)])
def test_a_choice_that_does_not_exist_is_refused_with_those_that_do(value):
    assert check_choice("solver", "dense", ("auto", "dense")) == "dense"
    with pytest.raises(BadParameter, match="solver must be one of 'auto', 'dense', got"):
        check_choice("solver", value, ("auto", "dense"))


# matrices


@pytest.mark.parametrize("form", [sp.csr_array, sp.csc_matrix, sp.coo_array, sp.lil_matrix, sp.dok_array])
def test_every_sparse_form_becomes_a_csr_array(form):
    X = check_terms(form(np.array([[0, 2], [1, 0]])))
    assert isinstance(X, sp.csr_array)
    assert X.dtype == np.float64
    assert X.toarray().tolist() == [[0, 2], [1, 0]]


@pytest.mark.parametrize("given", [[[0, 2], [1, 0]], np.array([[False, True]]), np.asfortranarray(np.ones((2, 3), dtype=np.int8))])
def test_every_dense_form_becomes_rows_of_double_precision_in_order(given):
    X = check_terms(given)
    assert X.dtype == np.float64
    assert X.flags.c_contiguous
    assert X.tolist() == np.asarray(given).astype(float).tolist()


@pytest.mark.parametrize("storage", [np.asarray, sp.csr_array])
def test_narrow_floats_stay_narrow_and_what_is_good_is_not_copied(storage):
    given = storage(np.ones((2, 3), dtype=np.float32))
    X = check_terms(given)
    assert X.dtype == np.float32
    assert np.shares_memory(X.data, given.data) if sp.issparse(X) else X is given


def test_an_untidy_matrix_is_tidied_in_a_copy():
    untidy = sp.csr_array((np.array([1.0, 5.0, 2.0, 0.0]), np.array([2, 0, 2, 1]), np.array([0, 3, 4])), shape=(2, 3))
    X = check_terms(untidy)
    assert X.indices.tolist() == [0, 2]
    assert X.data.tolist() == [5.0, 3.0]
    assert untidy.data.tolist() == [1.0, 5.0, 2.0, 0.0]
    assert untidy.indices.tolist() == [2, 0, 2, 1]


@pytest.mark.parametrize("given", [np.ones(3), 3.0, np.ones((2, 2, 2)), []])
def test_what_has_no_two_dimensions_is_refused_with_their_number(given):
    with pytest.raises(BadData, match=f"two dimensions, got {np.ndim(given)}"):
        check_terms(given)


@pytest.mark.parametrize("given", ["tea", [["tea", "jam"]], [[1], [2, 3]], [[None, object()]], {"tea": 1}])
def test_what_is_no_numbers_is_refused(given):
    with pytest.raises(BadData, match=r"must be numbers, got (str|list|dict)"):
        check_terms(given)


@pytest.mark.filterwarnings("ignore::numpy.exceptions.ComplexWarning")
@pytest.mark.parametrize("storage", [np.asarray, sp.csr_array])
def test_complex_numbers_are_refused(storage):
    with pytest.raises(BadData):
        check_terms(storage(np.array([[1 + 2j, 3]])))


@pytest.mark.parametrize(("shape", "noun"), [((0, 4), "documents"), ((4, 0), "terms"), ((0, 0), "documents")])
def test_nothing_is_refused_with_the_stage_and_the_shape(shape, noun):
    with pytest.raises(EmptyCorpus, match=rf"the oven has no {noun}: .*\(shape=\({shape[0]}, {shape[1]}\)\)"):
        check_terms(np.empty(shape), "the oven")


@pytest.mark.parametrize("storage", [np.asarray, sp.csr_array])
@pytest.mark.parametrize(("value", "name"), [(np.nan, "NaN"), (np.inf, r"infinity \(inf\)"), (-np.inf, r"infinity \(-inf\)")])
def test_what_is_not_finite_is_refused_with_its_place(storage, value, name):
    X = np.arange(12.0).reshape(4, 3)
    X[2, 1] = X[3, 0] = value
    with pytest.raises(BadData, match=f"contains {name} in row 2, column 1"):
        refuse_infinite(storage(X))


def test_finite_numbers_whose_sum_is_not_are_let_through():
    refuse_infinite(np.full((2, 2), 1e308))


@pytest.mark.parametrize("storage", [np.asarray, sp.csr_array])
@pytest.mark.parametrize(("scale", "size"), [(1e101, "large"), (1e-102, "small")])
def test_numbers_whose_squares_are_no_numbers_are_refused_with_the_place_of_the_largest(storage, scale, size):
    X = np.array([[0.0, 1.0], [0.5, -2.0]])
    refuse_extreme(storage(X))
    refuse_extreme(storage(np.zeros((2, 2))))
    with pytest.raises(BadData, match=rf"is {2 * scale:g}, in row 1, column 1, whose square is too {size}".replace("+", r"\+")):
        refuse_extreme(storage(X * scale))


# labels


@pytest.mark.parametrize(
    ("y", "codes"),
    [
        ([7, 3, -1, 7], [1, 0, -1, 1]),
        ([7.0, 3.0, -1.0, 7.0], [1, 0, -1, 1]),
        (["tea", "jam", "rye", "tea"], [2, 0, 1, 2]),
        (np.array(["tea", "jam", None, "tea"], dtype=object), [1, 0, -1, 1]),
        (np.array(["tea", "jam", -1, "tea"], dtype=object), [1, 0, -1, 1]),
        ([True, False, False, True], [1, 0, 0, 1]),
        ([[7], [3], [-1], [7]], [1, 0, -1, 1]),
        ([-1, -1, -1, -1], [-1, -1, -1, -1]),
        ([-2, 5, -1, -2], [0, 1, -1, 0]),
        (["-1", "1", "1", "-1"], [0, 1, 1, 0]),
    ],
    ids=str,
)
def test_classes_are_numbered_in_sorted_order_and_no_class_is_minus_one(y, codes):
    assert check_labels(y, 4).tolist() == codes


@pytest.mark.parametrize(
    ("y", "message"),
    [
        ([0, 1, 0], r"expected shape \(4,\), got \(3,\)"),
        (np.zeros((4, 2)), r"got \(4, 2\)"),
        (3, r"got \(\)"),
        ([0.5, 1.0, 0.0, 1.0], "continuous, got .*0.5"),
        ([0.0, np.inf, 1.0, 1.0], "infinity, which is no class. Give -1 or NaN"),
        ([0.5, np.nan, 1.0, 1.0], "continuous, got .*0.5"),
        (np.array(["tea", 1, "jam", 2], dtype=object), "of one type, got int, str"),
    ],
    ids=str,
)
def test_labels_that_are_no_classes_or_not_one_per_document_are_refused(y, message):
    with pytest.raises(BadLabels, match=message):
        check_labels(y, 4)


def test_a_label_that_is_no_number_is_none():
    assert check_labels(np.array([0.0, np.nan, 4.0, -1.0]), 4).tolist() == [0, -1, 1, -1]
    assert check_labels([3.0, np.nan, 4.0, float("nan")], 4).tolist() == [0, -1, 1, -1]


@pytest.mark.parametrize("unknown", [-1, None])
def test_an_unknown_label_beside_names_stays_unknown(unknown):
    assert check_labels(["a", unknown, "b", "a"], 4).tolist() == [0, -1, 1, 0]


def test_pandas_missing_labels_are_unknown():
    pandas = pytest.importorskip("pandas")
    assert check_labels(pandas.Series(["a", None, "b"], dtype="string"), 3).tolist() == [0, -1, 1]


@pytest.mark.parametrize("dtype", [None, "object", "string", "category"])
@pytest.mark.parametrize("missing", [None, float("nan"), "NA"])
def test_missing_names_of_a_series_are_unknown_however_pandas_marks_them(dtype, missing):
    pandas = pytest.importorskip("pandas")
    names = pandas.Series(["a", pandas.NA if missing == "NA" else missing, "b"], dtype=dtype)
    assert check_labels(names, 3).tolist() == [0, -1, 1]


@pytest.mark.parametrize("dtype", ["Int64", "Float64", "boolean"])
def test_missing_numbers_of_a_nullable_series_are_unknown(dtype):
    pandas = pytest.importorskip("pandas")
    assert check_labels(pandas.Series([1, None, 0], dtype=dtype), 3).tolist() == [1, -1, 0]


def test_nan_is_unknown_beside_names_as_among_floats():
    assert check_labels(["a", float("nan"), "b"], 3).tolist() == [0, -1, 1]


def test_an_array_of_names_that_swallowed_minus_one_is_refused():
    with pytest.raises(BadLabels, match="Pass y as a list"):
        check_labels(np.array(["x", "w", -1]), 3)
    assert check_labels(["x", "w", -1], 3).tolist() == [1, 0, -1]
    assert check_labels(np.array(["1", "-1", "2"]), 3).tolist() == [1, 0, 2]
