"""Compilation by numba: functions are compiled once, cached on disk, and run without the interpreter lock.

Threads come from ``vicinal._threads``, not from numba: a kernel works on a range of rows, so it needs no thread pool of its own
and is safe after a fork and inside other people's threads. Import this module only where a kernel is needed: numba takes
about half a second to import.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import numba

Kernel = TypeVar("Kernel", bound=Callable[..., object])


def compiled(function: Kernel) -> Kernel:
    """Compile on first use, and cache the result on disk where a folder can be written.

    The functions get no NaN (validation refuses them), which lets the compiler vectorise a maximum. Sums keep their order.
    """
    options = {"nogil": True, "error_model": "numpy", "fastmath": {"nnan", "nsz"}}
    try:
        kernel: Kernel = numba.njit(cache=True, **options)(function)
    except RuntimeError:  # no writable cache directory: compile in every process instead
        kernel = numba.njit(**options)(function)
    return kernel
