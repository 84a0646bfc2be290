"""What this process has used: seconds of the processor, and the most memory it held."""

from __future__ import annotations

import ctypes
import gc
import os
import resource
from pathlib import Path


def cpu_seconds() -> float:
    """Of this process and those it has waited for, all threads."""
    spent = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(each.ru_utime + each.ru_stime for each in spent)


def peak_memory() -> float:
    """MB that this process held at most, since ``forget_peak``."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def forget_peak() -> None:
    """Give back what was freed, and set the high-water mark back to the present, where the system can (Linux)."""
    gc.collect()
    try:
        ctypes.CDLL(None).malloc_trim(0)
        Path("/proc/self/clear_refs").write_text("5")
    except (OSError, AttributeError):  # elsewhere what was read beside the texts counts
        return


def hold_to(cores: int) -> None:
    """Use so many cores at most: every library asks the system how many it may use."""
    if cores and hasattr(os, "sched_setaffinity"):
        allowed = sorted(os.sched_getaffinity(0))
        first = os.getpid() % len(allowed)
        os.sched_setaffinity(0, (allowed[first:] + allowed[:first])[:cores])
