"""Validation of input at the public boundary: matrices, numbers, choices, labels.

SciPy is imported when the first matrix is validated: numbers are validated without it.
"""

from __future__ import annotations

from collections.abc import Iterable
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any

import numpy as np

from vicinal._typing import ArrayLike, IntArray, LabelsLike, SparseMatrix, Terms
from vicinal.errors import BadData, BadLabels, BadParameter, EmptyCorpus

if TYPE_CHECKING:
    from typing_extensions import TypeIs

UNLABELLED = -1


def check_count(name: str, value: object, minimum: int = 1) -> int:
    """Return ``value`` as an int, or raise BadParameter if it is not a whole number of at least ``minimum``."""
    if isinstance(value, bool | np.bool_) or not isinstance(value, Integral) or value < minimum:
        raise BadParameter(f"{name} must be a whole number of at least {minimum}, got {value!r}. Use {name}={minimum} or more.")
    return int(value)


def check_number(name: str, value: object, minimum: float = 0.0, *, above: bool = False) -> float:
    """Return ``value`` as a float that is finite and not below ``minimum`` (or, with ``above``, greater than it)."""
    number = np.nan if isinstance(value, bool | np.bool_) or not isinstance(value, Real) else float(value)
    if not np.isfinite(number) or number < minimum or (above and number == minimum):
        bound = f"greater than {minimum:g}" if above else f"of at least {minimum:g}"
        advice = f"Use a number above {minimum:g}" if above else f"Use {name}={minimum:g} or more"
        raise BadParameter(f"{name} must be a finite number {bound}, got {value!r}. {advice}.")
    return number


def check_share(name: str, value: object) -> float:
    """Return ``value`` as a float above 0 and at most 1."""
    share = check_number(name, value, above=True)
    if share > 1.0:
        raise BadParameter(f"{name} must be at most 1, got {value!r}. Use {name}=0.95 or {name}=1.")
    return share


def check_seed(random_state: object) -> None:
    """Raise BadParameter unless ``random_state`` is one of scikit-learn's: None, an int, or a generator."""
    from sklearn.utils import check_random_state

    try:
        check_random_state(random_state)
    except ValueError:
        raise BadParameter(
            f"random_state must be None, a whole number or a numpy RandomState, got {random_state!r}. Use random_state=0."
        ) from None


def seed_of(random_state: object) -> int:
    """One random seed: the number given, or one drawn from the generator."""
    from sklearn.utils import check_random_state

    if isinstance(random_state, Integral):
        return int(random_state)
    return int(check_random_state(random_state).randint(np.iinfo(np.int32).max))


def check_limit(max_iter: object) -> None:
    """Raise BadParameter unless ``max_iter`` is None or a whole number of at least 1."""
    if max_iter is not None:
        check_count("max_iter", max_iter)


def check_choice(name: str, value: object, choices: tuple[str, ...]) -> str:
    """Return ``value``, or raise BadParameter if it is not one of ``choices``."""
    if not isinstance(value, str) or value not in choices:
        raise BadParameter(f"{name} must be one of {', '.join(map(repr, choices))}, got {value!r}. Choose one of them.")
    return value


def check_texts(name: str, values: Iterable[str]) -> list[str]:
    """Return several texts as a list, or raise BadParameter for a single one, whose characters would be taken for texts."""
    if isinstance(values, str | bytes) or not isinstance(values, Iterable):
        raise BadParameter(f"{name} must be a list of texts, got {values!r}. Pass a list, with one item or more.")
    return list(values)


def check_terms(X: ArrayLike, stage: str = "the matrix") -> Terms:
    """Return documents x terms as a canonical CSR array, or as a dense C-ordered array, of float32 or float64.

    The input is never modified: a CSR that is unsorted, or holds duplicate entries or explicit zeros, is copied first.
    """
    X = _as_sparse(X) if _is_sparse(X) else _as_dense(X)
    refuse_empty(X.shape, stage)
    refuse_infinite(X)
    return X


def _is_sparse(X: object) -> TypeIs[SparseMatrix]:
    from vicinal._matrix import is_sparse

    return is_sparse(X)


def _as_sparse(X: Any) -> Terms:
    import scipy.sparse as sp

    from vicinal._matrix import small_indices

    _refuse_complex(X.dtype)
    rows: SparseMatrix = sp.csr_array(X)
    if rows.dtype not in (np.float32, np.float64):
        rows = rows.astype(np.float64)
    if not rows.has_canonical_format or np.any(rows.data == 0):
        rows = rows.copy()
        rows.sum_duplicates()
        rows.eliminate_zeros()
    return small_indices(rows)


def shortened(text: str, most: int = 80) -> str:
    """The beginning of a text for a message, which may come from a document."""
    return text if len(text) <= most else f"{text[:most].rstrip()}…"


def _as_dense(X: Any) -> Terms:
    try:
        rows = np.asarray(X)
        _refuse_complex(rows.dtype)
        if rows.dtype not in (np.float32, np.float64):
            rows = rows.astype(np.float64)
    except BadData:
        raise
    except (TypeError, ValueError) as error:
        raise BadData(
            f"documents x terms must be numbers, got {type(X).__name__}: {shortened(str(error))}. Turn text into terms first."
        ) from None
    if rows.ndim != 2:
        raise BadData(f"documents x terms must have two dimensions, got {rows.ndim}. Reshape your data: one row per document.")
    return np.ascontiguousarray(rows)


def _refuse_complex(dtype: np.dtype[np.generic]) -> None:
    if dtype.kind == "c":
        raise BadData(
            f"Complex data not supported: documents x terms must be real numbers, got {dtype}. Take their real part or size."
        )


def refuse_empty(shape: tuple[int, ...], stage: str) -> None:
    """Raise EmptyCorpus, naming the stage, when there is no document or no term."""
    for count, unit, noun in ((shape[0], "sample", "document"), (shape[1], "feature", "term")):
        if count == 0:
            raise EmptyCorpus(
                f"{stage} has no {noun}s: found array with 0 {unit}(s) (shape={tuple(shape)}) while a minimum of 1 is required. "
                f"Check what was read, and the limits on terms, before it."
            )


def refuse_infinite(X: Terms, first_row: int = 0) -> None:
    """Raise BadData, with row and column, at the first NaN or infinity; rows are counted from ``first_row`` on."""
    data = np.asarray(X.data if _is_sparse(X) else X)
    with np.errstate(over="ignore", invalid="ignore"):
        if np.isfinite(np.sum(data, dtype=np.float64)):
            return
    bad = np.flatnonzero(~np.isfinite(data.ravel()))
    if bad.size == 0:
        return
    row, column = entry_position(X, int(bad[0]))
    value = float(data.ravel()[bad[0]])
    name = "NaN" if np.isnan(value) else f"infinity ({value})"
    raise BadData(
        f"Input X contains {name} in row {first_row + row}, column {column}. A weight must be a finite number: replace or drop it."
    )


def refuse_extreme(X: Terms) -> None:
    """Raise BadData, with row and column, where the square of the largest number overflows or underflows."""
    from vicinal._matrix import largest_entry

    peak, where = largest_entry(X)
    if peak > 0:
        refuse_extreme_peak(peak, *entry_position(X, where))


def refuse_extreme_peak(peak: float, row: int, column: int) -> None:
    """Raise BadData where the square of the largest number, which stands in that row and column, overflows or underflows."""
    from vicinal._matrix import SAFE

    if peak == 0 or 1.0 / SAFE <= peak <= SAFE:
        return
    raise BadData(
        f"the largest number of X is {peak:g}, in row {row}, column {column}, whose square is too "
        f"{'large' if peak > 1 else 'small'} for a number. Scale X: only ratios of weights matter."
    )


def entry_position(X: Terms, entry: int) -> tuple[int, int]:
    """Row and column of a stored entry."""
    if _is_sparse(X):
        return int(np.searchsorted(X.indptr, entry, side="right")) - 1, int(X.indices[entry])
    row, column = np.unravel_index(entry, X.shape)
    return int(row), int(column)


def check_labels(y: LabelsLike, n_documents: int) -> IntArray:
    """Return classes numbered from 0 in sorted order; -1 for documents whose label is -1, None, NaN or missing."""
    labels = _as_labels(y)
    if labels.ndim == 2 and labels.shape[1] == 1:
        labels = labels.ravel()
    if labels.shape != (n_documents,):
        raise BadLabels(
            f"y must hold one label per document: expected shape ({n_documents},), got {labels.shape}. "
            f"Pass those of the same documents."
        )
    known = _is_labelled(labels)
    codes = np.full(n_documents, UNLABELLED, dtype=np.int64)
    if known.any():
        codes[known] = _numbered(labels[known])
    return codes


def _as_labels(y: LabelsLike) -> Any:
    """The labels as an array; mixed types are kept, so that -1 beside strings does not become the string "-1"."""
    try:
        given = plain_labels(y)
        labels = np.asarray(y) if given is y else np.array(given, dtype=object)
    except ValueError:
        raise BadLabels(
            "y must hold one label per document, a number or a string each, got nested labels. Pass a flat list."
        ) from None
    if labels.dtype.kind in "US" and not hasattr(y, "dtype"):
        labels = np.array(y, dtype=object)
    if labels.dtype.kind == "U" and np.any(labels == str(UNLABELLED)) and not all(_is_whole(label) for label in labels.ravel()):
        raise BadLabels(
            f"y holds the string '{UNLABELLED}' beside other strings: NumPy has converted {UNLABELLED}. Pass y as a list."
        )
    if labels.dtype.kind == "O" and all(isinstance(label, Real) for label in labels.ravel()):
        labels = np.asarray(labels.tolist())
    return labels


def plain_labels(y: Any) -> Any:
    """Labels as given; of a column of a data frame that marks missing values, a list with None for each of them."""
    if not hasattr(y, "dtype") or isinstance(y.dtype, np.dtype) or not hasattr(y, "__iter__"):
        return y
    return [None if is_missing(label) else label for label in (y.tolist() if hasattr(y, "tolist") else y)]


def _is_whole(label: str) -> bool:
    return label.lstrip("-").isdigit()


def _numbered(labels: Any) -> Any:
    try:
        return np.unique(labels, return_inverse=True)[1]
    except TypeError:
        kinds = ", ".join(sorted({type(label).__name__ for label in labels}))
        raise BadLabels(f"labels must all be of one type, got {kinds}. Convert them all to strings or numbers.") from None


def _is_labelled(labels: Any) -> Any:
    if labels.dtype.kind == "f":
        if np.isinf(labels).any():
            raise BadLabels("y contains infinity, which is no class. Give -1 or NaN to a document without a label.")
        there = labels[~np.isnan(labels)]
        if np.any(there != np.round(there)):
            raise BadLabels(
                f"Unknown label type: continuous, got {there[there != np.round(there)][0]!r}. y must hold classes. "
                f"Use whole numbers or texts."
            )
    if labels.dtype.kind in "iuf":
        return (labels != UNLABELLED) & (labels == labels)
    if labels.dtype.kind == "O":
        return np.array([is_class(label) for label in labels], dtype=bool)
    return np.ones(labels.shape, dtype=bool)


def is_class(label: object) -> bool:
    """Whether a label is not None, NaN, pandas' NA or NaT, or -1."""
    return not is_missing(label) and not (isinstance(label, Real) and label == UNLABELLED)


def is_missing(label: object) -> bool:
    """Whether a value stands for none: None, NaN, pandas' NA or NaT."""
    return label is None or type(label).__name__ in {"NAType", "NaTType"} or bool(label != label)
