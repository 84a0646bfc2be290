"""Sizes of memory as people write them: ``"4GB"``, ``"512 MB"`` or a number of bytes."""

from __future__ import annotations

import re

from vicinal.errors import BadParameter

_UNITS = {"": 1, "B": 1, "KB": 1e3, "MB": 1e6, "GB": 1e9, "TB": 1e12, "KIB": 2**10, "MIB": 2**20, "GIB": 2**30, "TIB": 2**40}
_WRITTEN = re.compile(r"\s*(\d+(?:\.\d+)?)\s*([KMGT]?I?B?)\s*", re.IGNORECASE)


def bytes_of(memory: object) -> int | None:
    """How many bytes a size stands for; None stays None, which is no limit."""
    if memory is None:
        return None
    number, unit = float("nan"), ""
    if isinstance(memory, int | float) and memory is not True:
        number = float(memory)
    elif isinstance(memory, str) and (written := _WRITTEN.fullmatch(memory)) and written[2].upper() in _UNITS:
        number, unit = float(written[1]), written[2].upper()
    if not 1 <= number * _UNITS[unit] < 2**63:
        raise BadParameter(f"memory must be a size such as '4GB' or a number of bytes, got {memory!r}. Use memory='4GB', or None.")
    return int(number * _UNITS[unit])
