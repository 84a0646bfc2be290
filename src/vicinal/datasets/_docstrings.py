"""The corpus that every installation has: the documentation strings of Python, NumPy, SciPy and scikit-learn.

Source files are parsed, never imported: nothing runs, nothing slow is loaded, and the files alone decide what is read.
"""

from __future__ import annotations

import ast
import re
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from vicinal._warn import warn
from vicinal.corpus import Document
from vicinal.datasets._definitions import definitions
from vicinal.datasets._markup import count_words, plain_text
from vicinal.datasets._publicnames import Doors, listed_names
from vicinal.datasets._sources import PACKAGES, STANDARD_LIBRARY, SourceFile, source_files
from vicinal.errors import BadParameter, VicinalWarning

#: A short text that says this only points elsewhere.
_POINTER = re.compile(r"\bdeprecated\b|\balias (?:for|of|to)\b", re.IGNORECASE)
_POINTER_WORDS = 40


def load_docstrings(
    packages: str | Iterable[str] | None = None, min_words: int = 12, progress: Callable[[int, int], None] | None = None
) -> Iterator[Document]:
    """Read the documentation of installed Python packages, one document per function, method or class.

    With no arguments: the standard library, numpy, scipy and scikit-learn, about 7,500 documents in a few seconds.
    Documents come one at a time, in the order of the files' paths and of the lines in them, the same on every run.

    Parameters
    ----------
    packages : str or iterable of str, optional
        Top-level packages to read, in this order; ``"stdlib"`` is the standard library.
    min_words : int, default 12
        Leave out a text with fewer words than this after its markup is taken off.
    progress : callable, optional
        Called as ``progress(files_done, files_in_all)`` before the first file and after each.

    Yields
    ------
    Document
        ``title`` is the public name (``scipy.stats.pearsonr``); ``label`` the module of the standard library
        (``asyncio``) or the subpackage (``scipy.stats``, ``numpy``); ``text`` is plain: examples to run, formulas,
        roles, underlines and numpydoc's headings are taken off.

    Warns
    -----
    VicinalWarning
        At the end, when files could not be decoded or parsed: how many, and the first of them.

    Notes
    -----
    What counts: functions and classes of a module and methods of a class, and what ``add_newdoc`` says of functions
    written in C. What is left out: names with a leading underscore and all inside them; a private part of the package
    itself (``sklearn._loss``) but for the names that a public module imports from it; tests, vendored packages,
    distutils, idlelib, lib2to3, turtledemo and ensurepip; deprecated names and aliases of which fewer than 40 words are
    said; and any text said before, word for word. What is defined in a private module and imported by no public one is
    named after its nearest public package, so not every title can be imported.
    """
    names = _checked_packages(packages)
    if isinstance(min_words, bool) or not isinstance(min_words, int) or min_words < 0:
        raise BadParameter(f"min_words must be a whole number of at least 0, got {min_words!r}. Use min_words=12.")
    return _stream([file for name in names for file in source_files(name)], min_words, progress or _silent)


def _checked_packages(packages: str | Iterable[str] | None) -> tuple[str, ...]:
    if packages is None:
        return PACKAGES
    names = (packages,) if isinstance(packages, str) else tuple(packages)
    for name in names:
        if name != STANDARD_LIBRARY and not (isinstance(name, str) and name.isidentifier()):
            raise BadParameter(f"packages must be names of top-level packages, got {name!r}. Use packages=['numpy', 'scipy'].")
    return tuple(dict.fromkeys(names))


def _silent(done: int, total: int) -> None:
    """Tell nobody."""


def _stream(files: list[SourceFile], min_words: int, progress: Callable[[int, int], None]) -> Iterator[Document]:
    doors, unread = _open_doors(files), []
    texts: set[str] = set()
    ids: Counter[str] = Counter()
    progress(0, len(files))
    for done, file in enumerate(files, start=1):
        try:
            tree = _parse(file)
        except (SyntaxError, ValueError, OSError, RecursionError, MemoryError) as error:
            unread.append(f"{file.source} ({error})")
        else:
            for document in _documents(file, tree, doors):
                if document.text not in texts and count_words(document.text) >= min_words:
                    texts.add(document.text)
                    yield _numbered(document, ids)
        progress(done, len(files))
    if unread:
        _report(unread, len(files))


def _open_doors(files: list[SourceFile]) -> Doors:
    """Read what each ``__init__.py``, and each module that defines nothing itself, imports from further inside."""
    doors = Doors()
    for file in sorted(files, key=lambda file: (file.module.count("."), file.module)):
        try:
            if file.is_package or _defines_nothing(file):
                doors.open(file.module, file.is_package, _parse(file))
        except (SyntaxError, ValueError, OSError, RecursionError, MemoryError):
            continue  # reported when the file itself is read
    return doors


def _defines_nothing(file: SourceFile) -> bool:
    source = file.path.read_bytes()
    return b"import" in source and b"def " not in source and b"class " not in source


def _parse(file: SourceFile) -> ast.Module:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # other people's invalid escapes
        return ast.parse(file.path.read_bytes(), filename=file.source)


def _documents(file: SourceFile, tree: ast.Module, doors: Doors) -> Iterator[Document]:
    listed = listed_names(tree)
    own = ".".join(file.source.removesuffix(".py").removesuffix("/__init__").split("/"))
    for module, name, docstring in definitions(tree, file.module):
        first, dot, rest = name.partition(".")
        public = doors.public(module, first, listed, file.label_parts)
        if public is None or _is_pointer(docstring):
            continue
        place, first = public
        label = ".".join(place.split(".")[: file.label_parts])
        yield Document(f"{own}:{name}", plain_text(docstring), f"{place}.{first}{dot}{rest}", label, file.source)


def _is_pointer(docstring: str) -> bool:
    return bool(_POINTER.search(docstring)) and count_words(docstring) < _POINTER_WORDS


def _numbered(document: Document, ids: Counter[str]) -> Document:
    """A name defined twice in a file (one per platform, a property and its setter) is counted from #2 on."""
    ids[document.id] += 1
    return document if ids[document.id] == 1 else replace(document, id=f"{document.id}#{ids[document.id]}")


def _report(unread: list[str], total: int) -> None:
    shown = "; ".join(unread[:3]) + ("; …" if len(unread) > 3 else "")
    warn(
        f"{len(unread)} of {total} source files could not be decoded or parsed and were left out: {shown}. "
        f"The documents of all other files are here.",
        VicinalWarning,
    )
