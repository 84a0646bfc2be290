"""The door to numba: kept on disk where that is possible, compiled anyway where it is not, sums in their order."""

from __future__ import annotations

import importlib.util

import numba
import numpy as np
import pytest

from vicinal._compiled import compiled

SOURCE = """
def total(values):
    result = 0.0
    for i in range(len(values)):
        result += values[i]
    return result
"""


def loaded(path):
    """The function ``total`` of a file that is there."""
    path.write_text(SOURCE)
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.total


def from_nowhere(source=SOURCE, name="total"):
    """A function of a file that is not there, as in an archive; nothing that was kept on disk can stand in for it."""
    names = {}
    exec(compile(source, "/nowhere/kernel.py", "exec"), names)
    return names[name]


def test_a_kernel_is_kept_on_disk(tmp_path, monkeypatch):
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path / "kept"))
    kernel = compiled(loaded(tmp_path / "kernel.py"))
    assert kernel(np.array([1.0, 2.0])) == 3.0
    assert list((tmp_path / "kept").rglob("*.nbi"))


def test_a_kernel_without_a_place_on_disk_is_compiled_anyway(tmp_path, monkeypatch):
    """No directory can be made under a file: not the one asked for, not the one beside the source, not the user's."""
    (tmp_path / "file").touch()
    (tmp_path / "__pycache__").touch()
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path / "file" / "kept"))
    for variable in ("HOME", "XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.setenv(variable, str(tmp_path / "file"))
    function = loaded(tmp_path / "kernel.py")
    with pytest.raises(RuntimeError, match="cannot cache"):
        numba.njit(cache=True)(function)
    assert compiled(function)(np.array([1.0, 2.0])) == 3.0


def test_a_kernel_without_a_source_file_is_compiled_anyway():
    with pytest.raises(RuntimeError, match="cannot cache"):
        numba.njit(cache=True)(from_nowhere())
    assert compiled(from_nowhere())(np.array([1.0, 2.0])) == 3.0


def test_an_error_in_a_kernel_is_not_taken_for_a_missing_cache():
    with pytest.raises(TypeError):
        compiled("no function")


def test_sums_keep_their_order_to_the_last_bit():
    values = np.random.default_rng(0).normal(size=10_001)
    in_order = float(np.cumsum(values)[-1])
    assert compiled(from_nowhere())(values) == in_order
    assert compiled(from_nowhere())(values[::-1]) != in_order  # another order would be noticed
    assert numba.njit(fastmath=True)(from_nowhere())(values) != in_order


def test_a_division_by_zero_is_infinity_as_in_numpy():
    assert compiled(from_nowhere("def share(a, b):\n    return a / b\n", "share"))(1.0, 0.0) == np.inf


def test_a_kernel_releases_the_interpreter_lock():
    assert compiled(from_nowhere()).targetoptions["nogil"] is True
