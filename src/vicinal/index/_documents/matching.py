"""Which documents names mean: ids, ends of ids, paths of files and patterns, as people type them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import final

from vicinal._store import Documents, Store
from vicinal._store.filters import Filters
from vicinal._store.id_lookup import MOST_LOOKED_UP, candidates, look_up, suggestions

#: Characters that make a pattern of a name.
_OF_PATTERNS = "*?["


@final
@dataclass(frozen=True)
class Matched:
    """The documents that names mean, as `Index.matching` finds them.

    Attributes
    ----------
    ids : tuple of str
        Ids of the documents: those that were given, those that ends of ids and paths stand for, then those of patterns.
    stands_for : dict from str to str
        The id that each end of an id, or path of a file, stands for.
    unknown : tuple of str
        Names that no document has.
    suggestions : tuple of str
        Ids that are spelled like the first of the unknown names, at most three; empty where a document was found.

    Examples
    --------
    >>> from vicinal.index import Matched
    >>> Matched(("news/a.txt",), {"a.txt": "news/a.txt"}).stands_for["a.txt"]
    'news/a.txt'
    """

    ids: tuple[str, ...]
    stands_for: Mapping[str, str]
    unknown: tuple[str, ...] = ()
    suggestions: tuple[str, ...] = ()


def match_names(store: Store, names: Sequence[str], where: Filters) -> Matched:
    """The documents that names mean and that meet the conditions; of all documents where there are conditions alone."""
    documents = Documents(store)
    with store.reading():
        exact = documents.find(names)
        others = [name for name in dict.fromkeys(names) if name not in exact]
        having = {name: documents.ids_like(name) for name in others if _is_pattern(name)}
        stands_for = _stand_for(store, [name for name in others if name not in having])
        unknown = tuple(name for name in others if name not in stands_for and not having.get(name))
        meant = [*exact, *stands_for.values(), *(id for ids in having.values() for id in ids)]
        ids = passing_ids(store, meant, where) if names else passing_ids(store, None, where)
        near = suggestions(store, unknown[0]) if unknown and not meant and not _is_pattern(unknown[0]) else []
    return Matched(tuple(ids), stands_for, unknown, tuple(near))


def _is_pattern(name: str) -> bool:
    """Whether a name has characters that stand for others."""
    return any(character in name for character in _OF_PATTERNS)


def _stand_for(store: Store, names: Sequence[str]) -> dict[str, str]:
    """The ids that paths of files, or ends of ids, stand for; a name that no document has is left out."""
    known = [each for each in names if candidates(store, each)] if len(names) <= MOST_LOOKED_UP else []
    found = look_up(store, known, len(known))
    return dict(zip(found, Documents(store).ids(found.values()), strict=True))


def passing_ids(store: Store, ids: Sequence[str] | None, where: Filters) -> list[str]:
    """Those of some ids, each once, that meet the conditions; None: of all documents, where there are conditions."""
    among = dict.fromkeys(ids or ())
    if not where:
        return list(among)
    documents = Documents(store)
    passing = documents.ids(documents.where(where))
    return passing if ids is None else [id for id in passing if id in among]
