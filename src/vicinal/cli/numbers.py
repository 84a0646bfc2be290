"""Numbers as people read them: rounded, and still adding up."""

from __future__ import annotations

from collections.abc import Sequence
from math import floor

DECIMALS = 2


def apportion(parts: Sequence[float], total: float) -> list[float]:
    """Round parts so that, as written, they add up to the total as written: 0.004 + 0.004 is 0.01, not 0.00.

    Each is rounded down, and those that lost most are raised by one in the last place: largest remainders, as votes
    become seats. None moves by as much as one in the last place.
    """
    scale = 10**DECIMALS
    floors = [floor(part * scale) for part in parts]
    missing = round(total * scale) - sum(floors)
    by_loss = sorted(range(len(parts)), key=lambda i: floors[i] - parts[i] * scale)
    raised = set(by_loss[: max(missing, 0)])
    return [(down + (i in raised)) / scale for i, down in enumerate(floors)]


def lasting(seconds: float) -> str:
    """How long something takes, in the unit that tells most."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 90 * 60 else f"{seconds / 3600:.1f} h"
