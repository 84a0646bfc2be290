"""JSON that any program reads: UTF-8, numbers of NumPy as numbers, and null where a number is none."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from starlette.responses import Response


class JsonAnswer(Response):
    """Plain values as an answer."""

    media_type = "application/json"

    def render(self, content: object) -> bytes:
        """Write values as JSON."""
        return as_json(content).encode("utf-8", "replace")


def as_json(content: object) -> str:
    """Values as JSON; NaN and infinity become null."""
    try:
        return json.dumps(content, ensure_ascii=False, allow_nan=False, separators=(",", ":"), default=_plain)
    except ValueError:
        return json.dumps(finite(content), ensure_ascii=False, allow_nan=False, separators=(",", ":"), default=_plain)


def _plain(value: object) -> Any:
    if isinstance(value, np.generic):
        return finite(value.item())
    if isinstance(value, np.ndarray):
        return finite(value.tolist())
    if isinstance(value, Mapping):
        return dict(value)
    return str(value)


def finite(value: object) -> Any:
    """The same values, with None in place of NaN and infinity."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, np.generic | np.ndarray):
        return finite(value.tolist())
    if isinstance(value, Mapping):
        return {key: finite(each) for key, each in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str | bytes):
        return [finite(each) for each in value]
    return value


class BinaryAnswer(Response):
    """Numbers one after the other, little-endian, as an answer."""

    media_type = "application/octet-stream"

    def __init__(self, *arrays: np.ndarray[Any, Any]) -> None:
        super().__init__(b"".join(np.ascontiguousarray(each).tobytes() for each in arrays))
        self.headers["X-Vicinal-Count"] = str(len(arrays[0]))


def little(values: object, kind: str) -> np.ndarray[Any, Any]:
    """An array of little-endian numbers, of kind "f4", "i4" or "u4"."""
    return np.asarray(values).astype(f"<{kind}")
