"""`warn`: warnings that point at the line of the caller's own code, however deep in the library they arise."""

from __future__ import annotations

import os
import sys
import warnings
from pathlib import Path
from types import FrameType

from vicinal.errors import VicinalWarning

_OURS = str(Path(__file__).parent) + os.sep
#: This library, and packages that may stand between the caller and it: scikit-learn's pipelines and searches, and their workers.
_BETWEEN = frozenset({"vicinal", "sklearn", "joblib", "concurrent", "multiprocessing", "threading", "functools", "contextlib"})


def warn(message: str, category: type[VicinalWarning]) -> None:
    """Issue a warning that names the innermost line outside of this library and of scikit-learn.

    Parameters
    ----------
    message : str
        What happened, what was found, why it matters and what to do.
    category : type
        A class of the tree in `vicinal.errors`.
    """
    level, frame = 2, sys._getframe(1)
    while _is_internal(frame) and frame.f_back is not None:
        level, frame = level + 1, frame.f_back
    warnings.warn(message, category, stacklevel=level)


def _is_internal(frame: FrameType) -> bool:
    file, module = frame.f_code.co_filename, str(frame.f_globals.get("__name__", ""))
    return file.startswith(_OURS) or module.partition(".")[0] in _BETWEEN
