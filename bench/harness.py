"""How things are measured: contenders take turns in one run, medians of their times are compared as ratios.

The machine is shared and noisy, so seconds mean little and ratios within one run mean much. Peak memory is what a fresh process
holds at most during the task, less what it held before.
"""

from __future__ import annotations

import ctypes
import gc
import json
import os
import platform
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

RESULTS = Path(__file__).parent / "results"


@dataclass(frozen=True)
class Contender:
    """Somebody who can do the job: a name and a function without arguments."""

    name: str
    run: Callable[[], Any]


@dataclass
class Answer:
    """What one bench file found out: written as JSON, shown as a table."""

    question: str
    setting: str
    rows: list[dict[str, Any]]
    checks: list[str] = field(default_factory=list)
    machine: str = field(default_factory=lambda: f"{os.cpu_count()} cores, Python {platform.python_version()}")

    def save(self, name: str) -> None:
        """Write results/<name>.json."""
        RESULTS.mkdir(exist_ok=True)
        (RESULTS / f"{name}.json").write_text(json.dumps(asdict(self), indent=2) + "\n")


def take_turns(contenders: list[Contender], repeats: int = 5) -> tuple[dict[str, float], dict[str, Any]]:
    """Median seconds of each contender over interleaved repeats, after one warm-up each; and what each returned."""
    results = {contender.name: contender.run() for contender in contenders}
    times: dict[str, list[float]] = {contender.name: [] for contender in contenders}
    for _ in range(repeats):
        for contender in contenders:
            start = time.perf_counter()
            results[contender.name] = contender.run()
            times[contender.name].append(time.perf_counter() - start)
    return {name: float(np.median(seconds)) for name, seconds in times.items()}, results


def ratios(seconds: dict[str, float], ours: str) -> list[dict[str, Any]]:
    """One row per contender: median seconds, and how many times our time that is."""
    return [
        {"who": name, "seconds (median)": round(value, 3), "times ours": round(value / seconds[ours], 2)}
        for name, value in seconds.items()
    ]


def peak_memory(module: str, function: str, *arguments: str) -> float:
    """Peak memory in MB that ``module.function(*arguments)`` needs beyond its preparation, in a fresh process.

    The function prepares (loads data, compiles kernels) and returns the job to measure.
    """
    code = f"from bench.harness import measure_job; from {module} import {function}; measure_job({function}(*{arguments!r}))"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([".", os.environ.get("PYTHONPATH", "")])}
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment)
    return float(out.stdout.strip().splitlines()[-1])


def measure_job(job: Callable[[], Any]) -> None:
    """Run the job and print how far the memory rose above where it was, in MB (Linux)."""
    gc.collect()
    ctypes.CDLL(None).malloc_trim(0)  # what preparation has freed must not count as there already
    Path("/proc/self/clear_refs").write_text("5")  # sets the high-water mark back to the present
    before = _status("VmRSS")
    kept = job()
    print(max(0.0, (_status("VmHWM") - before) / 1024))
    del kept


def _status(key: str) -> float:
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(key):
            return float(line.split()[1])
    raise RuntimeError(f"/proc/self/status has no {key}")
