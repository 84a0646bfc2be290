"""Rules for the numbers of stored arrays: a checksum can be forged, so what a number may be is looked at when it is read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vicinal._store.blocks import Header
from vicinal.errors import DamagedIndex

_ANY = float("inf")


@dataclass(frozen=True)
class Rule:
    """What the numbers of an array may be.

    Parameters
    ----------
    low, high : float
        The smallest and the largest number.
    nan : bool
        Whether a number may be missing.
    """

    low: float = -_ANY
    high: float = _ANY
    nan: bool = False


#: The rule of each array by its name; whoever stores arrays of a name adds a row. Others may hold any numbers.
RULES: dict[str, Rule] = {}


def check_numbers(header: Header, numbers: NDArray[Any]) -> None:
    """Raise DamagedIndex where the numbers of a block are not what its array may hold.

    Parameters
    ----------
    header : Header
    numbers : ndarray
    """
    rule = RULES.get(header.name)
    if rule is None or header.part not in ("rows", "values") or not numbers.size:
        return
    if numbers.dtype.kind == "f" and not np.isfinite(numbers).all() and (not rule.nan or np.isinf(numbers).any()):
        raise DamagedIndex(f"{header} is damaged: it holds numbers that are not finite. Repair the index.")
    low, high = np.fmin.reduce(numbers, axis=None), np.fmax.reduce(numbers, axis=None)
    if low < rule.low or high > rule.high:
        raise DamagedIndex(
            f"{header} is damaged: its numbers are from {low:g} to {high:g}, and can be from {rule.low:g} to {rule.high:g}. "
            f"Repair the index."
        )
