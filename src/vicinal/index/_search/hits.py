"""Hits: the documents that a search finds, with scores, reasons and passages, and what was noticed about the query."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, final

from vicinal._store import Passage

if TYPE_CHECKING:
    from vicinal.corpus import Document
    from vicinal.projection import Explanation

__all__ = ["Hit", "Hits", "Passage"]


@final
@dataclass(frozen=True, eq=False)
class Hit:
    """A document that was found by `Index.search`, `Index.near` or `Index.members`.

    Attributes
    ----------
    id : str
        The id of the document.
    title : str
        The title of the document.
    source : str
        The file that the document was read from.
    score : float
        The sum of the parts of ``why``.
    why : Explanation
        The contribution of each term to the score.
    snippet : str
        A passage of the text, with the terms of the query in brackets.
    cluster : int
        The number of the document's cluster, -1 for none.
    metadata : dict
        The metadata of the document.
    relevance : float
        From 0 to 1, and comparable between queries: how near the score comes to that of a document in which every term of
        the query has the largest weight that it has in any document, and whose embedding is the query's.
    passage : Passage
        The same passage with the positions of the terms in the text.
    reranked : float or None
        The cosine of an encoder's vectors of query and document, where an encoder ordered the hits; None elsewhere.

    Examples
    --------
    >>> import vicinal
    >>> with vicinal.open("news.vic", create=True) as index:
    ...     added = index.add([vicinal.Document("a", "wheat exports fell")])
    ...     [hit] = index.search("wheat")
    >>> hit.id, hit.snippet, hit.passage.matches
    ('a', '[wheat] exports fell', ((0, 5),))
    """

    id: str
    title: str
    source: str
    score: float
    why: Explanation
    snippet: str
    cluster: int
    metadata: Mapping[str, object] = field(default_factory=dict)
    relevance: float = 0.0
    passage: Passage = field(default_factory=lambda: Passage(""))
    reranked: float | None = None

    if not TYPE_CHECKING:  # a type checker is to know the attributes that there are, and refuse others

        def __getattr__(self, name: str) -> object:
            later = vars(self).get("_later")
            made = {} if later is None else later(name)
            if name not in made:
                raise AttributeError(f"a Hit has no attribute {name!r}. It has {', '.join(each.name for each in fields(self))}.")
            vars(self).update(made)
            return made[name]

    def __getstate__(self) -> dict[str, object]:
        return {each.name: getattr(self, each.name) for each in fields(self)}

    def _repr_html_(self) -> str:
        """What a notebook shows."""
        from vicinal.index._tables.shown_in_notebooks import hit_html

        return hit_html(self)


def made_later(document: Document, cluster: int, relevance: float, later: Callable[[str], Mapping[str, object]]) -> Hit:
    """A document as a hit whose score, reasons and passage are made when they are first asked for.

    Parameters
    ----------
    document : Document
    cluster : int
    relevance : float
    later : function from the name of an attribute to attributes
        Those that are made together with it, none where it makes no such attribute.
    """
    hit = object.__new__(Hit)
    at_once = {"id": document.id, "title": document.title, "source": document.source, "metadata": document.metadata}
    vars(hit).update(at_once, cluster=cluster, relevance=relevance, reranked=None, _later=later)
    return hit


@final
class Hits(list[Hit]):
    """What a search found: a list of `Hit`, best first, with what was noticed about the query.

    Parameters
    ----------
    hits : iterable of Hit
        The hits of this page.
    total : int
        Documents that were found in all, which further pages would show.
    offset : int, default=0
        How many of them stand before this page.
    near : int, default=0
        How many of all that were found have no word of the query: they are near those that have, and follow them.
    suggestions : mapping from str to str, optional
        Words of the query that no document has, each with the word that was probably meant; "" where none is near, and for all
        behind the first twenty.
    corrected : str, default=""
        The query that was searched in place of the one given; empty where it was searched as given.
    notes : tuple of str, default=()
        What else was noticed, in sentences.
    facets : mapping from str to mapping, optional
        For each column asked for, how many of the documents found that have a word of the query (``total - near``) have each value,
        most frequent first; of all that were found where none has a word.

    Examples
    --------
    >>> import vicinal
    >>> with vicinal.open("news.vic", create=True) as index:
    ...     added = index.add([vicinal.Document("a", "wheat exports fell"), vicinal.Document("b", "wheat prices rose")])
    ...     hits = index.search("wheat", limit=1)
    >>> len(hits), hits.total
    (1, 2)
    """

    def __init__(
        self,
        hits: Iterable[Hit],
        total: int,
        offset: int = 0,
        *,
        near: int = 0,
        suggestions: Mapping[str, str] | None = None,
        corrected: str = "",
        notes: tuple[str, ...] = (),
        facets: Mapping[str, Mapping[str, int]] | None = None,
    ) -> None:
        super().__init__(hits)
        self.total = total
        self.offset = offset
        self.near = near
        self.suggestions = dict(suggestions or {})
        self.corrected = corrected
        self.notes = notes
        self.facets = {name: dict(counts) for name, counts in (facets or {}).items()}

    def _repr_html_(self) -> str:
        """What a notebook shows."""
        from vicinal.index._tables.shown_in_notebooks import hits_html

        return hits_html(self)
