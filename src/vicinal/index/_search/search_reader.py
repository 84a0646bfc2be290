"""The searches of an index: the methods that `Index` and `Snapshot` share."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING

from vicinal._store import Store
from vicinal._store.filters import Filters
from vicinal._threads import single_threaded_libraries
from vicinal._validate import check_choice, check_count, check_texts
from vicinal.errors import BadParameter
from vicinal.index._damage.partly_damaged import searched
from vicinal.index._search.hits import Hits
from vicinal.index._search.one_query import search
from vicinal.index._search.parsed_query import Options

if TYPE_CHECKING:
    from vicinal.encoders import Encoder
    from vicinal.index._search.search_state import SearchState

#: Queries in one call that are answered one after the other, as each by itself would be.
FEW = 4


class SearchReader(ABC):
    """What can be searched in an index."""

    _store: Store

    @abstractmethod
    def _searching(self) -> AbstractContextManager[SearchState]:
        """The state that is searched, for as long as the block lasts."""

    def search(
        self,
        query: str = "",
        limit: int = 10,
        *,
        offset: int = 0,
        by: str = "both",
        where: Filters = (),
        correct: bool | None = None,
        facets: Iterable[str] = (),
        plain: bool = False,
        rerank: Encoder | None = None,
    ) -> Hits:
        """Find documents by a query.

        Plain words rank documents: any question can be asked as it is. Everything that is marked must hold: ``"dark matter"`` (a
        phrase), ``+word``, ``-word`` or ``NOT word``, ``one AND other``, ``one OR other``, ``neuro*`` (a prefix), ``title:word``
        and ``author:"Ada Lovelace"`` (a field); parentheses group. AND, OR and NOT are in capitals.

        Parameters
        ----------
        query : str, default=""
            A question, or a few words; empty to list the documents that pass ``where``, in their order.
        limit : int, default=10
            The number of documents at most.
        offset : int, default=0
            How many documents are passed over before them: 10 is the second page of ten.
        by : {"both", "terms", "embedding"}, default="both"
            The evidence: BM25 of the terms, the cosine of the embeddings, or both, where the second counts by its correlation with
            the first (docs/maths/search.md). Before the first fit there are only terms.
        where : str, mapping, or sequence of (column, op, value), default=()
            Only documents whose metadata pass, such as ``"year>=1998 AND NOT section in (arts, sport)"``, ``{"year": 1998}`` or
            ``[("year", ">=", 1998)]``. Beside the metadata there are id, title, source, label and cluster.
        correct : bool or None, default=None
            Whether a word that no document has is replaced by the nearest one; None does it only where nothing else is found.
        facets : iterable of str, default=()
            Columns whose values are counted over the documents that have a term of the query, or that pass what it requires.
        plain : bool, default=False
            Whether all of the query is plain text, in which nothing is syntax: for texts that nobody typed as a query.
        rerank : Encoder, optional
            An object with a method ``encode``, such as `vicinal.encoders.load_encoder` loads. The first hundred documents are put
            in the order of the cosine of its vectors of query and document; scores and reasons stay those of the search.

        Returns
        -------
        Hits
            A list of `Hit`, best first, with the number of all documents found and what was noticed about the query.

        Raises
        ------
        BadParameter
            A parameter is out of range, or the query is empty and there is no filter.
        BadQuery
            A query around AND, OR or NOT, or a condition, cannot be read; the message says at which character.
        TooFewDocuments
            ``by="embedding"``, and the index is not fitted.

        Examples
        --------
        >>> import vicinal
        >>> index = vicinal.open("search.vic", create=True)
        >>> texts = ["wheat and corn", "corn harvest", "wheat harvest", "a goal in the match", "the match was won", "goal won"]
        >>> added = index.add(vicinal.Document(f"d{i}", text) for i, text in enumerate(texts))
        >>> fitted = index.fit(n_clusters=2)
        >>> [(hit.id, hit.snippet) for hit in index.search("corn harvest", 1)]
        [('d1', '[corn] [harvest]')]
        >>> [hit.id for hit in index.search("harvest NOT corn")]
        ['d2']
        """
        options = _options(limit, offset, by, where, correct, facets, plain, rerank)
        text = _text(query)
        with single_threaded_libraries():
            return searched(self, lambda state: search(state, text, options))

    def search_many(
        self,
        queries: Iterable[str],
        limit: int = 10,
        *,
        offset: int = 0,
        by: str = "both",
        where: Filters = (),
        correct: bool | None = None,
        facets: Iterable[str] = (),
        plain: bool = False,
        rerank: Encoder | None = None,
    ) -> list[Hits]:
        """Find documents for several queries, all in one state of the index.

        Parameters
        ----------
        queries : iterable of str
            Each as for `search`.
        limit : int, default=10
            The number of documents at most for each query.
        offset : int, default=0
            How many documents are passed over before them.
        by : {"both", "terms", "embedding"}, default="both"
            The evidence, as for `search`.
        where : str, mapping, or sequence of (column, op, value), default=()
            Only documents whose metadata pass, as for `search`.
        correct : bool or None, default=None
            Whether unknown words are replaced, as for `search`.
        facets : iterable of str, default=()
            Columns whose values are counted, as for `search`.
        plain : bool, default=False
            Whether the queries are plain text, as for `search`.
        rerank : Encoder, optional
            Puts the first hundred documents of each query in its order, as for `search`.

        Returns
        -------
        list of Hits
            One for each query, in their order.

        Raises
        ------
        BadParameter
            A parameter is out of range, ``queries`` is a single text, or one of them is empty.

        Examples
        --------
        >>> import vicinal
        >>> index = vicinal.open("many.vic", create=True)
        >>> added = index.add([vicinal.Document("a", "wheat exports fell"), vicinal.Document("b", "the match was won")])
        >>> [[hit.id for hit in hits] for hits in index.search_many(["wheat", "match"])]
        [['a'], ['b']]
        """
        options = _options(limit, offset, by, where, correct, facets, plain, rerank)
        texts = [_text(query) for query in check_texts("queries", queries)]
        with single_threaded_libraries():
            if len(texts) < FEW:
                return searched(self, lambda state: [search(state, text, options) for text in texts])
            from vicinal.index._search.many_queries import search_many

            return searched(self, lambda state: search_many(state, texts, options))


def _options(
    limit: int,
    offset: int,
    by: str,
    where: Filters,
    correct: bool | None,
    facets: Iterable[str],
    plain: bool,
    rerank: Encoder | None,
) -> Options:
    check_choice("by", by, ("both", "terms", "embedding"))
    names = tuple(dict.fromkeys(check_texts("facets", facets)))
    _refuse_no_encoder(rerank)
    return Options(check_count("limit", limit), check_count("offset", offset, 0), by, where, correct, names, plain, rerank)


def _refuse_no_encoder(rerank: object) -> None:
    if rerank is not None and (isinstance(rerank, str) or not callable(getattr(rerank, "encode", None))):
        raise BadParameter(
            f"rerank must be an encoder, an object with a method encode, got {rerank!r:.80}. Load one: load_encoder(name_or_path)."
        )


def _text(query: str) -> str:
    if not isinstance(query, str):
        raise BadParameter(f"a query must be a text, got {query!r}. Search once for each text.")
    return query
