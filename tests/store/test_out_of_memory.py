"""Out of memory: whichever allocation fails, the index is as before the change or as after it, and a command ends with one line."""

from __future__ import annotations

import ctypes
import errno
import multiprocessing
import os
import shutil
import subprocess
import sys
import tempfile

import pytest

from tests.store.pretend_disk import _library
from tests.store.samples import contents, documents, made
from vicinal._store import Documents, Store, check
from vicinal.cli._terminal.out_of_memory import LINE, is_out_of_memory
from vicinal.errors import VicinalError

testcapi = pytest.importorskip("_testcapi", reason="this Python has no allocations that fail on demand")
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="limits on memory, and fork")


@pytest.fixture(name="index")
def before_and_after(tmp_path):
    """An index, and its contents before and after a change."""
    path = made(tmp_path / "news.vic")
    with Store.open(path) as store:
        before = contents(store)
    with Store.open(shutil.copy(path, tmp_path / "changed.vic")) as store:
        change(store)
        after = contents(store)
    return path, before, after


def change(store):
    Documents(store).add(documents(40, 1000))


def state(path):
    assert check(path) == []
    with Store.open(path) as store:
        return contents(store)


def test_sqlite_may_be_short_of_memory_at_any_point(index, tmp_path):
    """The heap of SQLite has a limit, raised step by step until the change goes through."""
    path, before, after = index
    library, copy = _library(), tmp_path / "copy.vic"
    for name in ("sqlite3_hard_heap_limit64", "sqlite3_memory_used"):
        getattr(library, name).restype = ctypes.c_int64
    failed = 0
    for step in range(200):
        shutil.copy(path, copy)
        library.sqlite3_hard_heap_limit64(ctypes.c_int64(library.sqlite3_memory_used() + 4_000 + 16_000 * step))
        try:
            with Store.open(copy) as store:
                change(store)
        except (MemoryError, VicinalError):
            failed += 1
        finally:
            library.sqlite3_hard_heap_limit64(ctypes.c_int64(0))
        found = state(copy)
        assert found in (before, after)
        if found == after:
            break
    assert 5 < failed < 200


def allocation_fails(path, first):
    """In a process of its own, let one allocation of Python fail during a change: 0 where it was done, 1 where it was refused."""
    store = Store.open(path)
    testcapi.set_nomemory(first, first + 1)
    try:
        change(store)
    except (MemoryError, VicinalError, SystemError):
        os._exit(1)
    finally:
        testcapi.remove_mem_hooks()
    os._exit(0)


def code_of(path, first):
    """What a process ends with whose change has no memory for one allocation."""
    process = multiprocessing.get_context("fork").Process(target=allocation_fails, args=(path, first))
    process.start()
    process.join()
    return process.exitcode


@pytest.fixture(name="n_allocations")
def how_many_allocations_a_change_takes(index, tmp_path):
    """By halving: the change is done where the allocation that fails is behind its last one."""
    low, high = 0, 1 << 16
    while high - low > 50:
        middle = (low + high) // 2
        with tempfile.TemporaryDirectory(dir=tmp_path) as folder:
            low, high = (low, middle) if code_of(shutil.copy(index[0], folder), middle) == 0 else (middle, high)
    return high


@pytest.mark.parametrize("offset", range(4))
def test_any_allocation_of_python_may_fail(index, n_allocations, tmp_path, offset):
    """The last ones are in the transaction: rows are written when all of them were made."""
    path, before, after = index
    codes, last = set(), range(n_allocations - 800 + 16 * offset, n_allocations, 61)
    for first in (*range(1 + offset, n_allocations - 800, n_allocations // 5), *last):
        copy = shutil.copy(path, tmp_path / f"copy-{first}.vic")
        code = code_of(copy, first)
        codes.add(code)
        found = state(copy)
        assert found in (before, after), f"allocation {first}"
        assert code != 0 or found == after, f"allocation {first}"
    assert codes >= {1}


@pytest.mark.parametrize("verb", ["check", "export"])
def test_a_command_without_memory_ends_with_one_line_and_a_code(index, tmp_path, verb):
    path, before, _ = index
    options = ["-o", str(tmp_path / "out.csv")] if verb == "export" else []
    script = "import resource, sys; resource.setrlimit(resource.RLIMIT_AS, (150 << 20,) * 2); from vicinal.cli import main; main()"
    command = [sys.executable, "-c", script, verb, str(path), *options]
    # OpenBLAS ends the process itself, in words of its own, where its threads have no room.
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, env=os.environ | {"OPENBLAS_NUM_THREADS": "1"}, cwd=tmp_path
    )
    assert (done.returncode, done.stderr, done.stdout) == (3, LINE, "")
    assert state(path) == before
    assert not (tmp_path / "out.csv").exists()


def test_memory_that_a_library_could_not_get_is_told_from_other_errors():
    wrapped = RuntimeError("a library failed")
    wrapped.__cause__ = MemoryError()
    assert is_out_of_memory(wrapped)
    assert is_out_of_memory(OSError(errno.ENOMEM, "Cannot allocate memory"))
    assert is_out_of_memory(ImportError("libgomp.so.1: failed to map segment from shared object"))
    assert not is_out_of_memory(OSError(errno.ENOSPC, "No space left on device"))
    assert not is_out_of_memory(ImportError("No module named 'pandas'"))
    assert not is_out_of_memory(ValueError("failed to map segment"))
