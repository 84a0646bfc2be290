"""Result types of adding documents and of keeping them in step with files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, final

if TYPE_CHECKING:
    from vicinal.corpus import Skipped


@final
@dataclass(frozen=True)
class Added:
    """The outcome of `Index.add`.

    Attributes
    ----------
    added : int
        Documents that are new.
    changed : int
        Documents whose content was replaced.
    unchanged : int
        Documents that were in the index with the same content.
    embedded : int
        Documents that the fitted model embedded at once; 0 before the first fit.
    kept : int
        Documents that were in the index with another content and were not replaced, since ``update=False``.
    absent : tuple of str
        Ids of documents that are not in the index and were not added: see `Index.update`.
    renamed : dict from str to str
        Ids, and names of whole files or folders, that belong to another source: as they came, and as the index calls them. An id
        that came more than once has its source behind it from the second time on.
    replaced : tuple of str
        Ids of documents that were replaced by a document from another source, since ``update=True``.
    skipped : tuple of Skipped
        Files and rows that could not be read, where a path or a reading was given.

    Examples
    --------
    >>> import vicinal
    >>> with vicinal.open("news.vic", create=True) as index:
    ...     done = index.add([vicinal.Document("a", "wheat exports fell")])
    >>> done.added, done.unchanged, done.renamed
    (1, 0, {})
    """

    added: int
    changed: int
    unchanged: int
    embedded: int
    kept: int = 0
    absent: tuple[str, ...] = ()
    renamed: Mapping[str, str] = field(default_factory=dict)
    replaced: tuple[str, ...] = ()
    skipped: tuple[Skipped, ...] = ()


@final
@dataclass(frozen=True)
class Synced:
    """The outcome of `Index.sync`.

    Attributes
    ----------
    added, changed, unchanged, embedded : int
        As in `Added`.
    moved : dict from str to str
        Documents whose file has another path now: their ids before and after. They keep their labels, cluster and embedding.
    gone : tuple of str
        Ids of documents that are no longer in the files.
    removed : int
        How many of those were removed from the index.
    unread : tuple of str
        Ids of documents whose files are there and could not be read, or not completely; they stay as they are.
    renamed : dict from str to str
        As in `Added`.
    skipped : tuple of Skipped
        Files and rows that could not be read.
    relocated : dict from str to str
        Files and folders whose documents are found unchanged at another path now, where the old one is gone: both paths.

    Examples
    --------
    >>> from vicinal.index import Synced
    >>> Synced(1, 0, 8, 1, moved={"news/a.txt": "news/old/a.txt"}, gone=("news/b.txt",)).gone
    ('news/b.txt',)
    """

    added: int
    changed: int
    unchanged: int
    embedded: int
    moved: Mapping[str, str] = field(default_factory=dict)
    gone: tuple[str, ...] = ()
    removed: int = 0
    unread: tuple[str, ...] = ()
    renamed: Mapping[str, str] = field(default_factory=dict)
    skipped: tuple[Skipped, ...] = ()
    relocated: Mapping[str, str] = field(default_factory=dict)
