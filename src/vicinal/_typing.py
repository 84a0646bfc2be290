"""The shapes that travel between modules, by name."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

FloatArray: TypeAlias = NDArray[np.float64]
IntArray: TypeAlias = NDArray[np.int64]
BoolArray: TypeAlias = NDArray[np.bool_]

#: documents x terms: a SciPy sparse array or matrix in CSR form, or a dense array. SciPy's sparse types hold for no checker yet.
Terms: TypeAlias = Any

#: Anything array-like that a user may hand in.
ArrayLike: TypeAlias = Any

#: What scikit-learn calls a random state: None, a seed, or a generator.
RandomState: TypeAlias = "int | np.random.RandomState | None"
