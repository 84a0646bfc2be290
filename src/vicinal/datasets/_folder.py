"""`load_folder`: documents that are sorted into folders, one folder per class."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

from vicinal._progress import Progress, silent
from vicinal._warn import warn
from vicinal.corpus import Limits, Skipped, read
from vicinal.corpus._files import existing, shown
from vicinal.datasets._dataset import Dataset
from vicinal.errors import BadParameter, EmptyCorpus, SkippedFiles


def load_folder(
    path: str | os.PathLike[str], *, encoding: str | None = None, limits: Limits | None = None, progress: Progress = silent
) -> Dataset:
    """Load documents that are sorted into folders, one folder per class.

    Files are read as `vicinal.read` does: text, HTML, mail, tables, PDF and so on. The label of a document is the name of
    the folder in ``path`` that it lies in, however deep; files in ``path`` itself have no label.

    Parameters
    ----------
    path : path
        The folder that holds the folders of the classes.
    encoding : str or None, default=None
        Encoding of all files; detected for each file when None.
    limits : Limits or None, default=None
        Sizes beyond which a file is skipped; the defaults of `Limits` when None.
    progress : callable, default=silent
        Called as ``progress("read", bytes_done, bytes_total)`` while files are read.

    Returns
    -------
    Dataset
        Documents sorted by path; classes sorted by name.

    Raises
    ------
    NoSuchSource
        Nothing has that path.
    BadParameter
        It is not a folder, or there is no such encoding.
    EmptyCorpus
        There is no document in it.

    Warns
    -----
    SkippedFiles
        Files were skipped: how many, and the first of them with the reason.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from vicinal.datasets import load_folder
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     for name, text in (("garden/rose.txt", "Prune it in March."), ("kitchen/bread.txt", "Bake it hot.")):
    ...         Path(folder, name).parent.mkdir()
    ...         _ = Path(folder, name).write_text(text)
    ...     dataset = load_folder(folder)
    >>> dataset.label_names, dataset.labels.tolist(), dataset[1].text
    (('garden', 'kitchen'), [0, 1], 'Bake it hot.')
    """
    folder = existing(path)
    if not folder.is_dir():
        raise BadParameter(f"path must be a folder with one folder per class, got the file {folder}. Use vicinal.read for a file.")
    reading = read(folder, encoding=encoding, limits=limits or Limits(), progress=progress)
    documents = [replace(document, label=_folder_in(folder, document.source)) for document in reading]
    if not documents:
        raise EmptyCorpus(f"there is no document in {folder}: {reading.summary()}. Name a folder that holds files of text.")
    if reading.skipped:
        _warn_of(reading.skipped, reading.summary())
    return Dataset.of(documents)


def _folder_in(folder: Path, source: str) -> str:
    """The first folder between the given path and a file; empty for a file directly in the path."""
    inside = Path(source).relative_to(shown(str(folder))).parts
    return inside[0] if len(inside) > 1 else ""


def _warn_of(skipped: list[Skipped], summary: str) -> None:
    shown = "; ".join(map(str, skipped[:3])) + ("; …" if len(skipped) > 3 else "")
    warn(f"not every file became a document ({summary}): {shown}. The others are here.", SkippedFiles)
