"""`load_docstrings`: the documentation strings of installed Python packages.

Source files are parsed, never imported: none of their code runs.
"""

from __future__ import annotations

import ast
import re
import warnings
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import islice

from vicinal._progress import Progress, silent
from vicinal._validate import check_count
from vicinal._warn import warn
from vicinal.corpus import Document
from vicinal.datasets._dataset import Dataset
from vicinal.datasets._markup import count_words, plain_text
from vicinal.datasets._python_source import (
    PACKAGES,
    STANDARD_LIBRARY,
    ReExports,
    SourceFile,
    definitions,
    listed_names,
    source_files,
)
from vicinal.errors import BadParameter, SkippedFiles

#: A short text with one of these words only refers to another name.
_POINTER = re.compile(r"\bdeprecated\b|\balias (?:for|of|to)\b", re.IGNORECASE)
_POINTER_WORDS = 40


def load_docstrings(
    packages: str | Iterable[str] | None = None, *, min_words: int = 12, limit: int | None = None, progress: Progress = silent
) -> Dataset:
    """Load the documentation of installed Python packages, one document per function, method or class.

    By default these are the standard library, numpy, scipy and scikit-learn: about 7,500 documents. Every installation of
    this library has them, so this is the corpus of its examples.

    Parameters
    ----------
    packages : str, iterable of str or None, default=None
        Top-level packages to read, in this order; ``"stdlib"`` is the standard library. None reads `PACKAGES`.
    min_words : int, default=12
        Leave out a text with fewer words than this after its markup is removed.
    limit : int or None, default=None
        Stop after so many documents; None reads all.
    progress : callable, default=silent
        Called as ``progress("read", files_done, files_total)`` before the first file and after each.

    Returns
    -------
    Dataset
        Documents in the order of the files' paths and of the lines in them, the same on every run. The ``title`` is the public
        name (``scipy.stats.pearsonr``); the ``label`` is the module of the standard library (``asyncio``) or the subpackage
        (``scipy.stats``, ``numpy``); the ``text`` is plain: code examples, formulas, roles, underlines and numpydoc's
        headings are removed.

    Raises
    ------
    BadParameter
        A package is not installed or has no source files, or ``min_words`` or ``limit`` is not a count.

    Warns
    -----
    SkippedFiles
        Files could not be decoded or parsed: how many, and the first of them.

    Notes
    -----
    Included are functions and classes of a module, methods of a class, and what ``add_newdoc`` documents of functions
    written in C. Left out are names with a leading underscore and all inside them; a private part of the package itself
    (``sklearn._loss``) but for the names that a public module imports from it; tests, vendored packages, distutils,
    idlelib, lib2to3, turtledemo and ensurepip; deprecated names and aliases with fewer than 40 words; and repetitions of
    a text. A name that is defined in a private module and imported by no public one gets the name of its nearest
    public package, so not every title can be imported.

    Examples
    --------
    >>> from vicinal.datasets import load_docstrings
    >>> dataset = load_docstrings("numpy", limit=100)
    >>> len(dataset), dataset.label_names[0]
    (100, 'numpy')
    """
    names = _checked_packages(packages)
    check_count("min_words", min_words, minimum=0)
    if limit is not None:
        check_count("limit", limit, minimum=0)
    files = [file for name in names for file in source_files(name)]
    return Dataset.of(islice(_documents(files, min_words, progress), limit))


def _checked_packages(packages: str | Iterable[str] | None) -> tuple[str, ...]:
    if packages is None:
        return PACKAGES
    names = (packages,) if isinstance(packages, str) else tuple(packages)
    for name in names:
        if name != STANDARD_LIBRARY and not (isinstance(name, str) and name.isidentifier()):
            raise BadParameter(f"packages must be names of top-level packages, got {name!r}. Use packages=['numpy', 'scipy'].")
    return tuple(dict.fromkeys(names))


def _documents(files: list[SourceFile], min_words: int, progress: Progress) -> Iterator[Document]:
    exports, unread = _re_exports(files), []
    texts: set[str] = set()
    ids: Counter[str] = Counter()
    progress("read", 0, len(files))
    for done, file in enumerate(files, start=1):
        try:
            tree = _parse(file)
        except (SyntaxError, ValueError, OSError, RecursionError, MemoryError) as error:
            unread.append(f"{file.source} ({error})")
        else:
            for document in _documented(file, tree, exports):
                if document.text not in texts and count_words(document.text) >= min_words:
                    texts.add(document.text)
                    yield _numbered(document, ids)
        progress("read", done, len(files))
    if unread:
        _warn_of(unread, len(files))


def _re_exports(files: list[SourceFile]) -> ReExports:
    """Collect what each ``__init__.py``, and each module that defines nothing itself, imports from further inside."""
    exports = ReExports()
    for file in sorted(files, key=lambda file: (file.module.count("."), file.module)):
        try:
            if file.is_package or _defines_nothing(file):
                exports.add(file.module, file.is_package, _parse(file))
        except (SyntaxError, ValueError, OSError, RecursionError, MemoryError):
            continue  # reported when the file itself is read
    return exports


def _defines_nothing(file: SourceFile) -> bool:
    source = file.path.read_bytes()
    return b"import" in source and b"def " not in source and b"class " not in source


def _parse(file: SourceFile) -> ast.Module:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # such as invalid escapes in the files
        return ast.parse(file.path.read_bytes(), filename=file.source)


def _documented(file: SourceFile, tree: ast.Module, exports: ReExports) -> Iterator[Document]:
    listed = listed_names(tree)
    own = ".".join(file.source.removesuffix(".py").removesuffix("/__init__").split("/"))
    for module, name, docstring in definitions(tree, file.module):
        first, dot, rest = name.partition(".")
        public = exports.public_name(module, first, listed, file.label_parts)
        if public is None or _is_pointer(docstring):
            continue
        package, first = public
        label = ".".join(package.split(".")[: file.label_parts])
        yield Document(f"{own}:{name}", plain_text(docstring), f"{package}.{first}{dot}{rest}", label, file.source)


def _is_pointer(docstring: str) -> bool:
    return bool(_POINTER.search(docstring)) and count_words(docstring) < _POINTER_WORDS


def _numbered(document: Document, ids: Counter[str]) -> Document:
    """A name defined twice in a file (one per platform, a property and its setter) is counted from #2 on."""
    ids[document.id] += 1
    return document if ids[document.id] == 1 else replace(document, id=f"{document.id}#{ids[document.id]}")


def _warn_of(unread: list[str], total: int) -> None:
    shown = "; ".join(unread[:3]) + ("; …" if len(unread) > 3 else "")
    warn(
        f"{len(unread)} of {total} source files could not be decoded or parsed and were left out: {shown}. "
        f"The documents of all other files are here.",
        SkippedFiles,
    )
