"""Penalty: what makes a projection simple."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import final

import numpy as np

from vicinal.typing import FloatArray
from vicinal.validate import check_number


class Penalty(ABC):
    """A price on the weights A of a projection."""

    @abstractmethod
    def value(self, A: FloatArray) -> float:
        """The price of A."""

    @abstractmethod
    def prox(self, A: FloatArray, step: float) -> FloatArray:
        """The B that minimises ½‖B - A‖² + step · value(B)."""


@final
@dataclass(frozen=True)
class Ridge(Penalty):
    """α‖A‖²: small weights, spread over all words that help (P2). With α = 0 the smallest weights that fit best."""

    alpha: float = 0.1

    def __post_init__(self) -> None:
        """Refuse an alpha that is negative or not finite."""
        check_number("alpha", self.alpha)

    def value(self, A: FloatArray) -> float:
        """α times the sum of squares."""
        return float(self.alpha * np.sum(A * A))

    def prox(self, A: FloatArray, step: float) -> FloatArray:
        """Shrink everything by the same factor."""
        return A / (1.0 + 2.0 * step * self.alpha)
