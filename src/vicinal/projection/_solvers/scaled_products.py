"""Products with X whose terms are scaled, in double or in single precision, and what counts as rounding in each.

In single precision X is scaled once and stored again, entries and products in half the bytes. Blocks are padded to whole registers,
which alone makes a product of thirty columns twice as fast.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Protocol, final

import numpy as np

from vicinal._typing import FloatArray, Floats
from vicinal.projection._products import AnyProducts, SinglePrecision

REGISTERS = 32  # columns of float32 that one turn of the compiled loop takes
SAFE = 1e8  # sizes of numbers whose squares and sums neither overflow nor vanish in float32


@final
@dataclass(frozen=True)
class Precision:
    """What is rounding in an iteration: shares of the first gradient, of the largest curvature, and of the objective.

    Attributes
    ----------
    converged : float
        A gradient below this share of the first is rounding: a further step would divide rounding by rounding.
    stalled : float
        And so is one that has come below this share and grows a hundredfold.
    no_curvature : float
        Curvature below this share of the largest is rounding.
    rise : float
        Share of ‖y‖² by which rounding may let the objective rise; a larger rise is divergence.
    dependent : float
        Columns whose factor falls below this share of the largest are made orthonormal by Householder, not by Cholesky.
    """

    converged: float
    stalled: float
    no_curvature: float
    rise: float
    dependent: float


DOUBLE = Precision(converged=1e-13, stalled=1e-11, no_curvature=1e-14, rise=1e-12, dependent=1e-6)
SINGLE = Precision(converged=1e-6, stalled=1e-5, no_curvature=1e-6, rise=1e-6, dependent=1e-2)


class ScaledProducts(Protocol):
    """X diag(scale), which can be multiplied from both sides."""

    @property
    def precision(self) -> Precision:
        """What is rounding."""

    def forward(self, P: Floats) -> Floats:
        """X diag(scale) P, which is there until the next call."""

    def backward(self, R: Floats) -> Floats:
        """diag(scale) Xᵀ R, which is there, and may be changed, until the next call."""


@final
@dataclass(frozen=True, eq=False)
class DoubleProducts:
    """As Products are, with blocks scaled before and after."""

    products: AnyProducts
    scale: FloatArray
    precision: Precision = DOUBLE

    def forward(self, P: Floats) -> Floats:
        """X diag(scale) P."""
        return self.products.forward(np.asarray(self.scale[:, None] * P))

    def backward(self, R: Floats) -> Floats:
        """diag(scale) Xᵀ R."""
        return np.asarray(self.scale[:, None] * self.products.backward(np.asarray(R, dtype=np.float64)))


@final
@dataclass(frozen=True, eq=False)
class SingleProducts:
    """X diag(scale) and its transpose stored in float32; products are written into the same memory at every call."""

    products: AnyProducts
    scale: FloatArray
    columns: int
    precision: Precision = SINGLE

    @cached_property
    def _stored(self) -> SinglePrecision:
        return self.products.in_single(self.scale)

    @cached_property
    def _mean(self) -> Floats | None:
        mean = self.products.mean
        return None if mean is None else (mean * self.scale).astype(np.float32)

    @cached_property
    def _memory(self) -> tuple[Floats, Floats]:
        """A padded block over documents and one over terms, for what goes in and what comes out."""
        width = -(-self.columns // REGISTERS) * REGISTERS
        n_documents, n_terms = self.products.shape
        return np.zeros((n_documents, width), np.float32), np.zeros((n_terms, width), np.float32)

    def forward(self, P: Floats) -> Floats:
        """X diag(scale) P."""
        documents, terms = self._memory
        terms[:, : self.columns] = P
        self._stored.forward(terms, documents)
        product = documents[:, : self.columns]
        return product if self._mean is None else product - self._mean @ P

    def backward(self, R: Floats) -> Floats:
        """diag(scale) Xᵀ R."""
        documents, terms = self._memory
        if R.base is not documents:  # what forward has returned is there already
            documents[:, : self.columns] = R
        self._stored.backward(documents, terms)
        product = terms[:, : self.columns]
        return product if self._mean is None else product - np.outer(self._mean, R.sum(axis=0))


def fits_single(Y: FloatArray, squares: FloatArray, alpha: float) -> bool:
    """Whether no number of the problem is too large or too small for single precision."""
    sizes = np.array([squares.max(initial=0.0), float(np.abs(Y).max(initial=0.0)), alpha])
    return bool(np.all((sizes > 1.0 / SAFE) & (sizes < SAFE)))
