"""The files of a corpus as it is distributed: a tar archive of any compression, or the folder it was unpacked into."""

from __future__ import annotations

import lzma
import os
import re
import tarfile
import zlib
from collections.abc import Iterator
from pathlib import Path

from vicinal._sqlite_files import belongs_to_sqlite, refuse_sqlite
from vicinal.corpus._files import existing
from vicinal.errors import BadData


def files_in(path: str | os.PathLike[str], names: re.Pattern[str]) -> Iterator[tuple[re.Match[str], str]]:
    """Yield each file of an archive or a folder whose name matches: the match, and the content decoded as Latin-1.

    A name is the path with slashes from the archive or folder on. Nothing is unpacked on disk.
    """
    place = existing(path)
    refuse_sqlite(place, "an archive or a folder")
    for match, content in _in_folder(place, names) if place.is_dir() else _in_tar(place, names):
        yield match, content.decode("latin-1")


def _in_folder(folder: Path, names: re.Pattern[str]) -> Iterator[tuple[re.Match[str], bytes]]:
    for path in sorted(folder.rglob("*")):
        match = names.fullmatch(path.relative_to(folder).as_posix())
        if match and path.is_file() and not belongs_to_sqlite(path):
            yield match, path.read_bytes()


def _in_tar(path: Path, names: re.Pattern[str]) -> Iterator[tuple[re.Match[str], bytes]]:
    try:
        with tarfile.open(path, "r:*") as archive:
            for member in archive:
                match = names.fullmatch(member.name.removeprefix("./"))
                content = archive.extractfile(member) if match and member.isfile() else None
                if match and content is not None:
                    yield match, content.read()
    except (tarfile.TarError, lzma.LZMAError, zlib.error, EOFError, OSError) as error:
        raise BadData(
            f"{path} is not a readable tar archive: {error}. Give the archive, or the folder it was unpacked into."
        ) from None
