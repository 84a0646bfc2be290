"""Compressed files and archives, read without unpacking them to disk: no path leads out, and no small file becomes a huge one."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import struct
import tarfile
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import import_module
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, BinaryIO, NamedTuple, cast

from vicinal.corpus._files import up_to
from vicinal.corpus._read_options import Limits
from vicinal.corpus._read_report import Unreadable

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

#: What may be unpacked from any file, however small; from a larger one as much as `Limits.unpacked_ratio` allows.
_LEAST = 100_000_000
_CHUNK = 1 << 16


class Budget:
    """How many bytes may still be unpacked from one file, with everything packed inside it."""

    def __init__(self, size: int, limits: Limits) -> None:
        self._ratio, self._left = limits.unpacked_ratio, max(_LEAST, size * limits.unpacked_ratio)

    def take(self, size: int) -> None:
        """Count bytes; raise Unreadable beyond what is allowed."""
        self._left -= size
        if self._left < 0:
            raise Unreadable(f"it unpacks to more than {self._ratio} times its size; nothing from there on was read")


class Unpacked(io.RawIOBase):
    """The bytes of a packed stream, counted against a budget; errors of the packed data end it as `Unreadable`."""

    def __init__(self, stream: BinaryIO, budget: Budget) -> None:
        self._stream, self._budget = stream, budget

    def readable(self) -> bool:
        """Return True, as io asks of what can be read."""
        return True

    def readinto(self, buffer: WriteableBuffer, /) -> int:
        """Read into a buffer, within the limits on what is unpacked; return how many bytes."""
        target = memoryview(buffer).cast("B")
        data = guarded(lambda: self._stream.read(len(target)))
        self._budget.take(len(data))
        target[: len(data)] = data
        return len(data)


def guarded(read: Callable[[], bytes]) -> bytes:
    """What a call reads, with the errors that damaged data cause turned into Unreadable."""
    try:
        return read()
    except Unreadable:
        raise
    except (OSError, EOFError, ValueError, RuntimeError, NotImplementedError, lzma.LZMAError, zipfile.BadZipFile) as error:
        raise Unreadable(f"its packed data are damaged or not supported: {error}") from error
    except Exception as error:  # zlib, tarfile and zstandard have errors of their own
        raise Unreadable(f"its packed data are damaged: {type(error).__name__}: {error}") from error


def _zstd(stream: BinaryIO) -> BinaryIO:
    try:
        library = import_module("zstandard")
    except ImportError:
        raise Unreadable("zst files need zstandard, which is not installed: pip install vicinal[read]") from None
    return cast(BinaryIO, library.ZstdDecompressor(max_window_size=1 << 27).stream_reader(stream, read_across_frames=True))


#: By ending: the function that unpacks a stream.
COMPRESSED: dict[str, Callable[[BinaryIO], BinaryIO]] = {
    ".gz": lambda stream: cast(BinaryIO, gzip.GzipFile(fileobj=stream)),
    ".bz2": lambda stream: cast(BinaryIO, bz2.BZ2File(stream)),
    ".xz": lambda stream: cast(BinaryIO, lzma.LZMAFile(stream)),  # noqa: SIM115
    ".lzma": lambda stream: cast(BinaryIO, lzma.LZMAFile(stream)),  # noqa: SIM115
    ".zst": _zstd,
}
#: Endings of one part that stand for two.
SHORT = {".tgz": ".tar.gz", ".tbz2": ".tar.bz2", ".tbz": ".tar.bz2", ".txz": ".tar.xz", ".tzst": ".tar.zst"}
ARCHIVES = (".zip", ".tar")


def without_compression(name: str) -> str:
    """A name without the endings of compression: ``news.csv`` for ``news.csv.gz``, ``all.tar`` for ``all.tgz``."""
    lower = name.lower()
    for short, long in SHORT.items():
        if lower.endswith(short):
            name = lower = name[: -len(short)] + long
    ending = next((ending for ending in COMPRESSED if lower.endswith(ending) and len(name) > len(ending)), "")
    return name[: len(name) - len(ending)]


def decompressed(stream: BinaryIO, name: str, budget: Budget) -> BinaryIO:
    """The stream as it was before compression, by the ending of its name; the stream itself where that has none."""
    lower = name.lower()
    long = next((lower[: -len(short)] + each for short, each in SHORT.items() if lower.endswith(short)), lower)
    ending = next((ending for ending in COMPRESSED if long.endswith(ending)), None)
    if ending is None:
        return stream
    return io.BufferedReader(Unpacked(COMPRESSED[ending](stream), budget), _CHUNK)


class Member(NamedTuple):
    """A file inside an archive: its path there, its size as the archive says it, and how to open it."""

    path: str
    size: int
    open: Callable[[], BinaryIO]


@dataclass
class Archive:
    """The files of a zip or tar archive, one after the other; what is left out is reported.

    Parameters
    ----------
    stream : binary stream
        Seekable for a zip archive.
    limits : Limits
    skip : callable
        Called with the path of a member that is left out, and the reason.
    """

    stream: BinaryIO
    limits: Limits
    skip: Callable[[str, str], None]

    def members(self, ending: str) -> Iterator[Member]:
        """Files whose names do not begin with a dot, as in a folder; of several with one name each has its own."""
        found, seen = self._zip() if ending == ".zip" else self._tar(), Counter[str]()
        for number, member in enumerate(found):
            if number >= self.limits.members:
                raise Unreadable(f"more than {self.limits.members:,} files in it; nothing from there on was read")
            parts = PurePosixPath(member.path).parts
            if member.path.startswith("/") or ".." in parts or not parts or "\\" in member.path or "\0" in member.path:
                self.skip(member.path, "its path leads out of the archive, or is none")
            elif not any(part.startswith(".") or part == "__MACOSX" for part in parts):
                seen["/".join(parts)] += 1
                yield member._replace(path=_numbered(PurePosixPath(*parts), seen["/".join(parts)]))

    def _zip(self) -> Iterator[Member]:
        try:
            archive = zipfile.ZipFile(self.stream)
        except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError) as error:
            raise Unreadable(f"not a zip archive, or a damaged one: {error}") from error
        with archive:
            for each in archive.infolist():
                if each.filename.endswith("/"):  # a name may be empty
                    continue
                if each.flag_bits & 1:
                    self.skip(each.filename, "it is encrypted")
                    continue
                yield Member(each.filename, each.file_size, lambda each=each: _opened_in_zip(archive, each))  # type: ignore[misc]

    def _tar(self) -> Iterator[Member]:
        try:
            with tarfile.open(fileobj=self.stream, mode="r|") as archive:
                for each in archive:
                    if each.isreg():
                        yield Member(each.name.removeprefix("./"), each.size, lambda each=each: _opened(archive, each))  # type: ignore[misc]
                    elif not each.isdir():
                        self.skip(each.name, "a link or a device, not a file")
        except (tarfile.TarError, OSError, ValueError) as error:
            raise Unreadable(f"not a tar archive, or a damaged one: {error}") from error


def _numbered(path: PurePosixPath, number: int) -> str:
    """The path of the first, second, … file of a name."""
    if number == 1:
        return str(path)
    first, *endings = path.name.split(".")
    return str(path.with_name(".".join([f"{first} ({number})", *endings])))


def _opened_in_zip(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> BinaryIO:
    """A member whose own header may be damaged, or say something else than the table of the archive: the others are still read."""
    try:
        return cast(BinaryIO, archive.open(member))
    except (zipfile.BadZipFile, OSError, ValueError, RuntimeError, NotImplementedError, struct.error, EOFError) as error:
        raise Unreadable(f"it is damaged: {error}") from error


def _opened(archive: tarfile.TarFile, member: tarfile.TarInfo) -> BinaryIO:
    stream = archive.extractfile(member)
    if stream is None:
        raise Unreadable("a link or a device, not a file")
    return cast(BinaryIO, stream)


def held(stream: BinaryIO, limit: int) -> BinaryIO:
    """All of a stream in memory, so that it can be read in any order; raise Unreadable where it is larger than the limit."""
    found = up_to(stream, limit + 1)
    if len(found.getbuffer()) > limit:
        raise Unreadable(f"too large: more than the {limit:,} bytes that are allowed for one document")
    return found
