"""Edge weights as functions of the cosine of two documents, or of their dot product (G3)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np

from vicinal._typing import FloatArray
from vicinal._validate import check_choice, check_number

WEIGHTS = ("cosine", "dot", "heat", "binary")


@final
@dataclass(frozen=True)
class EdgeWeight:
    """A function from cosines to edge weights of at least zero; of dot products of rows as they are where the kind is "dot".

    Attributes
    ----------
    kind : {"cosine", "dot", "heat", "binary"}
    bandwidth : float, optional
        Of the heat kernel; by default the mean distance over the cosines given.
    """

    kind: str
    bandwidth: float | None = None

    def __post_init__(self) -> None:
        """Refuse an unknown kind, or a bandwidth that is not above zero."""
        check_choice("weight", self.kind, WEIGHTS)
        if self.bandwidth is not None:
            check_number("bandwidth", self.bandwidth, above=True)

    @property
    def of_lengths(self) -> bool:
        """Whether it is given dot products of rows as they are, in place of cosines."""
        return self.kind == "dot"

    @property
    def is_product(self) -> bool:
        """Whether it is the cosine or the dot product itself: negative ones then weigh nothing, and W is a product with X."""
        return self.kind in ("cosine", "dot")

    def __call__(self, cosines: FloatArray) -> FloatArray:
        """Weigh each cosine, or dot product."""
        if self.of_lengths:
            return np.maximum(cosines, 0.0)
        if self.kind == "heat":
            return self._heat(cosines)
        return np.ones_like(cosines) if self.kind == "binary" else np.clip(cosines, 0.0, 1.0)

    def _heat(self, cosines: FloatArray) -> FloatArray:
        """exp(-distance² / (2 bandwidth²)), the distance being that of rows of length one: 2 - 2 cos."""
        squared = np.maximum(2.0 - 2.0 * cosines, 0.0)
        width = self.bandwidth if self.bandwidth is not None else float(np.mean(np.sqrt(squared))) if squared.size else 1.0
        with np.errstate(over="ignore"):
            return np.exp(-((np.sqrt(squared) / width) ** 2) / 2.0) if width > 0 else np.ones_like(squared)
