"""Types that several modules share: arrays by their entries, and sparse matrices by what is used of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import EllipsisType
from typing import Any, Protocol, TypeAlias, overload

import numpy as np
import numpy.typing as npt
from numpy.typing import NDArray

FloatArray: TypeAlias = NDArray[np.float64]
IntArray: TypeAlias = NDArray[np.int64]
BoolArray: TypeAlias = NDArray[np.bool_]

#: Labels as they are given: numbers, texts, or objects such as None.
LabelArray: TypeAlias = NDArray[Any]

#: Numbers in single or double precision, and whole numbers of any width.
Floats: TypeAlias = NDArray[np.floating]
Integers: TypeAlias = NDArray[np.integer]

_Rows: TypeAlias = "int | slice | list[int] | Integers | BoolArray | EllipsisType"


class AnySparse(Protocol):
    """What is asked of a sparse matrix that a user hands in: SciPy's matrices and arrays in any format."""

    @property
    def shape(self) -> tuple[int, ...]:
        """Rows and columns."""

    @property
    def nnz(self) -> int:
        """Number of stored entries."""

    def tocsr(self) -> object:
        """The same entries row by row."""


class SparseEntries(Protocol):
    """What the library uses of a ``scipy.sparse.coo_array``: entries by row and column."""

    data: Floats
    row: Integers
    col: Integers

    @property
    def nnz(self) -> int:
        """Number of stored entries."""


class SparseMatrix(Protocol):
    """What the library uses of a ``scipy.sparse.csr_array``: SciPy itself carries no types."""

    data: Floats
    indices: Integers
    indptr: Integers

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""

    @property
    def dtype(self) -> np.dtype[np.floating]:
        """Type of the entries."""

    @property
    def nnz(self) -> int:
        """Number of stored entries."""

    @property
    def ndim(self) -> int:
        """Two."""

    @property
    def has_canonical_format(self) -> bool:
        """Whether the entries of each row are sorted by column, none of them stored twice."""

    @property
    def T(self) -> SparseMatrix:  # noqa: N802
        """The transpose."""

    @overload
    def __matmul__(self, other: SparseMatrix) -> SparseMatrix: ...
    @overload
    def __matmul__(self, other: Floats) -> FloatArray: ...
    @overload
    def __rmatmul__(self, other: SparseMatrix) -> SparseMatrix: ...
    @overload
    def __rmatmul__(self, other: Floats) -> FloatArray: ...
    def __getitem__(self, rows: _Rows | tuple[_Rows, _Rows]) -> SparseMatrix: ...
    def __add__(self, other: SparseMatrix) -> SparseMatrix: ...
    def __sub__(self, other: SparseMatrix) -> SparseMatrix: ...
    def __mul__(self, other: SparseMatrix | float) -> SparseMatrix: ...
    def __rmul__(self, other: float) -> SparseMatrix: ...
    def __abs__(self) -> SparseMatrix: ...
    def __pow__(self, power: int) -> SparseMatrix: ...
    def reshape(self, rows: int, columns: int) -> SparseMatrix:
        """The same entries in another shape."""

    def multiply(self, other: SparseMatrix) -> SparseMatrix:
        """Entry by entry."""

    def min(self) -> float:
        """The smallest entry."""

    def max(self) -> float:
        """The largest entry."""

    def resize(self, rows: int, columns: int) -> None:
        """Change the shape in place."""

    def astype(self, dtype: npt.DTypeLike, copy: bool = True) -> SparseMatrix:
        """The same entries in another type."""

    def toarray(self) -> FloatArray:
        """As a dense array."""

    def tocsr(self) -> SparseMatrix:
        """Row by row."""

    def tocoo(self) -> SparseEntries:
        """Entry by entry."""

    def tocsc(self) -> SparseMatrix:
        """Column by column."""

    def copy(self) -> SparseMatrix:
        """An independent copy."""

    def sum(self, axis: int | None = None, dtype: type[np.float64] | None = None) -> FloatArray:
        """Sums of rows or columns."""

    def mean(self, axis: int | None = None, dtype: type[np.float64] | None = None) -> FloatArray:
        """Means of rows or columns."""

    def diagonal(self) -> FloatArray:
        """The entries on the diagonal."""

    def maximum(self, other: SparseMatrix) -> SparseMatrix:
        """The larger of two entries, everywhere."""

    def sort_indices(self) -> None:
        """Sort the entries of each row by column, in place."""

    def sum_duplicates(self) -> None:
        """Add up entries that are stored more than once, in place."""

    def eliminate_zeros(self) -> None:
        """Drop stored zeros, in place."""


#: documents x terms: sparse rows, or a dense array.
Terms: TypeAlias = "SparseMatrix | Floats"

#: The vocabulary of texts, or the names of the columns of a matrix; None where these had none.
TermNames: TypeAlias = "NDArray[np.object_] | None"

#: Anything array-like that a user may hand in.
ArrayLike: TypeAlias = "npt.ArrayLike | AnySparse"

#: Labels as people give them: an array, or a list in which None or -1 stands for none.
LabelsLike: TypeAlias = "npt.ArrayLike | Sequence[object]"

#: What scikit-learn calls a random state: None, a seed, or a generator.
RandomState: TypeAlias = "int | np.random.RandomState | None"

#: What JSON can hold.
Json: TypeAlias = "bool | int | float | str | Sequence[Json] | Mapping[str, Json] | None"
