"""A pretend disk under SQLite: it records what is written and synced, and tells what could be left of it after a power cut.

SQLite reaches the disk through a table of functions. `recording` puts one of our own in its place, in this process, which calls the
real ones and notes each write, truncation, sync and deletion; or lets one of them fail. From the notes `left` makes the files as
they may be after a power cut at any moment: what was synced is there; of the rest each write is there, gone, in part, or garbled.
"""

from __future__ import annotations

import ctypes
import random
import re
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest

SECTOR = 512
#: SQLite's numbers of errors.
WRITE_FAILS, SYNC_FAILS, DISK_FULL = 778, 1034, 13
_VFS_FIELDS = ("xOpen xDelete xAccess xFullPathname xDlOpen xDlError xDlSym xDlClose xRandomness xSleep xCurrentTime "
               "xGetLastError xCurrentTimeInt64 xSetSystemCall xGetSystemCall xNextSystemCall")  # fmt: skip
_FILE_FIELDS = ("xClose xRead xWrite xTruncate xSync xFileSize xLock xUnlock xCheckReservedLock xFileControl xSectorSize "
                "xDeviceCharacteristics xShmMap xShmLock xShmBarrier xShmUnmap xFetch xUnfetch")  # fmt: skip


class Vfs(ctypes.Structure):
    _fields_ = (
        [(name, ctypes.c_int) for name in ("iVersion", "szOsFile", "mxPathname")]
        + [("pNext", ctypes.c_void_p), ("zName", ctypes.c_char_p), ("pAppData", ctypes.c_void_p)]
        + [(name, ctypes.c_void_p) for name in _VFS_FIELDS.split()]
    )


class Methods(ctypes.Structure):
    _fields_ = [("iVersion", ctypes.c_int), *((name, ctypes.c_void_p) for name in _FILE_FIELDS.split())]


P, N, L = ctypes.c_void_p, ctypes.c_int, ctypes.c_int64
OPEN = ctypes.CFUNCTYPE(N, P, P, P, N, P)  # names stay pointers: SQLite keeps them
DELETE = ctypes.CFUNCTYPE(N, P, P, N)
WRITE = ctypes.CFUNCTYPE(N, P, P, N, L)
TRUNCATE = ctypes.CFUNCTYPE(N, P, L)
SYNC = ctypes.CFUNCTYPE(N, P, N)


@dataclass(frozen=True)
class Operation:
    """One operation on a file: "write", "truncate", "sync" or "delete"."""

    kind: str
    name: str
    offset: int = 0
    data: bytes = b""


@dataclass
class Disk:
    """What was done, in order; and which operation is to fail, from 1, with which error."""

    done: list[Operation] = field(default_factory=list)
    failing: int = 0
    error: int = WRITE_FAILS
    names: dict[int, str] = field(default_factory=dict)
    kept: list[object] = field(default_factory=list)

    def note(self, *operation) -> int:
        """The error of an operation, 0 for none."""
        self.done.append(Operation(*operation))
        return self.error if len(self.done) == self.failing else 0


def _library():
    """The library of SQLite that Python itself uses, or a skipped test."""
    import sqlite3  # noqa: F401 (which loads it)

    try:
        found = re.search(r"(/\S*libsqlite3\S*)", Path("/proc/self/maps").read_text())
    except OSError:
        found = None
    if found is None:
        pytest.skip("SQLite is no library of its own here")
    library = ctypes.CDLL(found[1])
    library.sqlite3_vfs_find.restype = ctypes.POINTER(Vfs)
    return library


@contextmanager
def recording(failing=0, error=WRITE_FAILS):
    """A disk that notes what SQLite does inside the block; one operation may fail."""
    library, disk = _library(), Disk(failing=failing, error=error)
    real = library.sqlite3_vfs_find(None)
    ours = Vfs.from_buffer_copy(real.contents)
    ours.zName, ours.pNext = b"pretend", None
    _patch(disk, ours, real.contents)
    assert library.sqlite3_vfs_register(ctypes.byref(ours), 1) == 0
    try:
        yield disk
    finally:
        library.sqlite3_vfs_unregister(ctypes.byref(ours))
        library.sqlite3_vfs_register(real, 1)


def _patch(disk, ours, real):
    tables = {}
    open_really, delete_really = OPEN(real.xOpen), DELETE(real.xDelete)

    def opened(vfs, name, file, flags, out):
        code = open_really(vfs, name, file, flags, out)
        if code == 0 and name:
            place = ctypes.cast(file, ctypes.POINTER(ctypes.c_void_p))
            if place[0] not in tables:
                tables[place[0]] = _recorded(disk, Methods.from_address(place[0]))
            place[0] = ctypes.addressof(tables[place[0]])
            disk.names[file] = Path(ctypes.string_at(name).decode()).name
        return code

    def deleted(vfs, name, synced):
        return disk.note("delete", Path(ctypes.string_at(name).decode()).name, synced) or delete_really(vfs, name, synced)

    disk.kept += [opened, deleted, tables, open_really, delete_really]
    ours.xOpen, ours.xDelete = _pointer(disk, OPEN(opened)), _pointer(disk, DELETE(deleted))


def _pointer(disk, function):
    disk.kept.append(function)
    return ctypes.cast(function, ctypes.c_void_p)


def _recorded(disk, real):
    write_really, truncate_really, sync_really = WRITE(real.xWrite), TRUNCATE(real.xTruncate), SYNC(real.xSync)

    def write(file, data, size, offset):
        return disk.note("write", disk.names[file], offset, ctypes.string_at(data, size)) or write_really(file, data, size, offset)

    def truncate(file, size):
        return disk.note("truncate", disk.names[file], size) or truncate_really(file, size)

    def sync(file, flags):
        return disk.note("sync", disk.names[file]) or sync_really(file, flags)

    ours = Methods.from_buffer_copy(real)
    ours.xWrite, ours.xTruncate = _pointer(disk, WRITE(write)), _pointer(disk, TRUNCATE(truncate))
    ours.xSync = _pointer(disk, SYNC(sync))
    disk.kept += [ours, write_really, truncate_really, sync_really]
    return ours


def left(operations, chance, syncs=True, before=None):
    """The files that a power cut after some operations may leave, as a dict from name to bytes.

    With ``syncs=False`` the disk is one that says it has synced and has not. Before the operations there may be files already.
    """
    durable = {name: bytearray(data) for name, data in (before or {}).items()}
    pending: dict[str, list[Operation]] = {}
    for each in operations:
        if each.kind == "delete":
            pending.pop(each.name, None)
            durable.pop(each.name, None)
        elif each.kind == "sync":
            if syncs:
                for write in pending.pop(each.name, ()):
                    _apply(durable.setdefault(each.name, bytearray()), write)
        else:
            pending.setdefault(each.name, []).append(each)
    for name, writes in pending.items():
        for write in writes:
            changed = _damaged(write, chance)
            if changed is not None:
                _apply(durable.setdefault(name, bytearray()), changed)
    return {name: bytes(data) for name, data in durable.items()}


def _damaged(write, chance):
    """An operation that was not synced: there, gone, in part, or garbled."""
    fate = chance.choice(("there", "gone", "part", "garbled"))
    if fate == "gone":
        return None
    if write.kind == "truncate" or fate == "there":
        return write
    sectors = chance.randrange(1 + len(write.data) // SECTOR)
    part = write.data[: sectors * SECTOR]
    rest = write.data[len(part) :]
    return Operation("write", write.name, write.offset, part if fate == "part" else part + chance.randbytes(len(rest)))


def _apply(data, write):
    if write.kind == "truncate":
        del data[write.offset :]
        return
    if len(data) < write.offset:
        data.extend(bytes(write.offset - len(data)))
    data[write.offset : write.offset + len(write.data)] = write.data


def chance_of(seed, place):
    """The same chance for the same power cut on every run."""
    return random.Random(seed * 1_000_003 + place)
