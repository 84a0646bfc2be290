"""The methods of an index that steer its clusters: names, merges, splits, moves and pins, all undone again where wanted."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from vicinal._store import Store
from vicinal.index._clusters.cluster_results import Constraint
from vicinal.index._index_state import IndexState, StateCache
from vicinal.index._steering import changes

Told = TypeVar("Told")


class ClusterEditor:
    """Changes of clusters by a person; each is one transaction, in force at once, and kept by every later fit."""

    _store: Store
    _cache: StateCache

    def _steer(self, action: Callable[[IndexState], Told]) -> Told:
        with self.transaction():
            return action(self._cache.state().load())

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Make several changes together: all of them are kept when the ``with`` block ends, or none after an error.

        Yields
        ------
        None
            Nothing: the methods of the index are called inside the block.

        Raises
        ------
        IndexLocked
            Another process is writing.

        Examples
        --------
        >>> import vicinal
        >>> index = vicinal.open("transaction.vic", create=True)
        >>> texts = ["wheat and corn", "corn harvest", "wheat harvest", "a goal in the match", "the match was won", "goal won"]
        >>> added = index.add(vicinal.Document(f"d{i}", text) for i, text in enumerate(texts))
        >>> fitted = index.fit(n_clusters=2)
        >>> with index.transaction():
        ...     index.name_cluster(0, "farm")
        ...     index.name_cluster(1, "sport")
        >>> [cluster.name for cluster in index.clusters()]
        ['farm', 'sport']
        """
        try:
            with self._store.writing():
                yield
        finally:
            self._cache.forget()

    def name_cluster(self, cluster: int, name: str | None) -> None:
        """Give a cluster a name, which it keeps as long as its number goes on.

        Parameters
        ----------
        cluster : int
            The number of the cluster.
        name : str or None
            One line of text. None or an empty text takes the name away: then the first terms are the name again.

        Raises
        ------
        BadParameter
            There is no such cluster, the name is no line of text, or another cluster has it.
        TooFewDocuments
            The index is not fitted.

        Examples
        --------
        >>> import vicinal
        >>> index = vicinal.open("name.vic", create=True)
        >>> texts = ["wheat and corn", "corn harvest", "wheat harvest", "a goal in the match", "the match was won", "goal won"]
        >>> added = index.add(vicinal.Document(f"d{i}", text) for i, text in enumerate(texts))
        >>> fitted = index.fit(n_clusters=2)
        >>> index.name_cluster(0, "farm")
        >>> index.clusters()[0].name
        'farm'
        """
        self._steer(lambda state: changes.name_cluster(state, cluster, name))

    def merge_clusters(self, clusters: Iterable[int]) -> Constraint:
        """Make several clusters one.

        The first continues with its number and name; if it has no name, it gets that of another. At every fit, the most typical
        documents of all of them stay together, and a cluster that would come off again is joined with it.

        Parameters
        ----------
        clusters : iterable of int
            Two numbers or more; two clusters at least must be left.

        Returns
        -------
        Constraint
            What every later fit keeps.

        Raises
        ------
        BadParameter
            There is no such cluster, one cluster alone would be left, or an earlier split contradicts it.
        TooFewDocuments
            The index is not fitted.

        Examples
        --------
        >>> import vicinal
        >>> index = vicinal.open("merge.vic", create=True)
        >>> texts = ["wheat and corn", "corn harvest", "wheat harvest", "a goal in the match", "the match was won", "goal won"]
        >>> added = index.add(vicinal.Document(f"d{i}", text) for i, text in enumerate(texts))
        >>> fitted = index.fit(n_clusters=2)
        >>> fitted = index.fit(n_clusters=3)
        >>> sorted(cluster.number for cluster in index.clusters())
        [0, 1, 2]
        >>> print(index.merge_clusters([0, 2]))
        constraint 1 (merge of clusters 0 and 2)
        >>> sorted(cluster.number for cluster in index.clusters())
        [0, 1]
        """
        return self._steer(lambda state: changes.merge_clusters(state, clusters))

    def split_cluster(self, cluster: int, n_clusters: int | str = "auto") -> Constraint:
        """Make the parts of a cluster, as ``clusters(of=…)`` shows them, clusters of their own.

        The largest part continues with the number and the name, the others get new numbers. At every fit, the most typical
        documents of the parts stay apart.

        Parameters
        ----------
        cluster : int
            The number of the cluster.
        n_clusters : int or "auto", default="auto"
            The number of parts; by default the number of largest modularity.

        Returns
        -------
        Constraint
            Its ``clusters`` are the parts, the one that continues first.

        Raises
        ------
        BadParameter
            There is no such cluster, it has no parts, or an earlier merge or pin contradicts it.
        TooFewDocuments
            The index is not fitted, or the cluster has fewer documents than parts.

        Examples
        --------
        >>> import vicinal
        >>> index = vicinal.open("split.vic", create=True)
        >>> texts = ["wheat and corn", "corn harvest", "wheat harvest", "a goal in the match", "the match was won", "goal won"]
        >>> added = index.add(vicinal.Document(f"d{i}", text) for i, text in enumerate(texts))
        >>> fitted = index.fit(n_clusters=2)
        >>> texts = [f"tram {word} street {other} rail" for word in ("stop", "fare") for other in ("wire", "line", "bell", "seat")]
        >>> added = index.add(vicinal.Document(f"t{i}", text) for i, text in enumerate(texts))
        >>> number = [index.fit(), index.search("tram", 1)[0].cluster][1]
        >>> index.split_cluster(number, 2).kind
        'split'
        """
        return self._steer(lambda state: changes.split_cluster(state, cluster, n_clusters))

    def move_documents(self, ids: Iterable[str], cluster: int | None) -> Constraint:
        """Put documents into a cluster, where every later fit leaves them.

        The last move of a document counts. A cluster that loses all its documents ends.

        Parameters
        ----------
        ids : iterable of str
            The ids of the documents.
        cluster : int or None
            The number of the cluster that they belong to; None makes a new one of them.

        Returns
        -------
        Constraint
            What every later fit keeps; its ``clusters`` has the number of the cluster.

        Raises
        ------
        BadParameter
            A document or the cluster is not there, a document has no known terms, or it belongs to another cluster that is pinned.
        TooFewDocuments
            The index is not fitted.

        Examples
        --------
        >>> import vicinal
        >>> index = vicinal.open("move.vic", create=True)
        >>> texts = ["wheat and corn", "corn harvest", "wheat harvest", "a goal in the match", "the match was won", "goal won"]
        >>> added = index.add(vicinal.Document(f"d{i}", text) for i, text in enumerate(texts))
        >>> fitted = index.fit(n_clusters=2)
        >>> other = 1 - index.search("corn", 1)[0].cluster
        >>> print(index.move_documents(["d0"], other).n_documents, index.search("wheat and corn", 1)[0].cluster == other)
        1 True
        """
        return self._steer(lambda state: changes.move_documents(state, ids, cluster))

    def pin_cluster(self, cluster: int) -> Constraint:
        """Keep all documents of a cluster in it at every fit; others may still join.

        Parameters
        ----------
        cluster : int
            The number of the cluster. If it is pinned already, the documents that it has now are pinned.

        Returns
        -------
        Constraint
            What every later fit keeps.

        Raises
        ------
        BadParameter
            There is no such cluster, or it has no documents.
        TooFewDocuments
            The index is not fitted.

        Examples
        --------
        >>> import vicinal
        >>> index = vicinal.open("pin.vic", create=True)
        >>> texts = ["wheat and corn", "corn harvest", "wheat harvest", "a goal in the match", "the match was won", "goal won"]
        >>> added = index.add(vicinal.Document(f"d{i}", text) for i, text in enumerate(texts))
        >>> fitted = index.fit(n_clusters=2)
        >>> index.pin_cluster(0).n_documents
        3
        """
        return self._steer(lambda state: changes.pin_cluster(state, cluster))

    def unpin_cluster(self, cluster: int) -> Constraint:
        """Let a fit move the documents of a cluster again.

        Parameters
        ----------
        cluster : int
            The number of a cluster that is pinned.

        Returns
        -------
        Constraint
            The pin that there was.

        Raises
        ------
        BadParameter
            The cluster is not there, or not pinned.
        TooFewDocuments
            The index is not fitted.

        Examples
        --------
        >>> import vicinal
        >>> index = vicinal.open("unpin.vic", create=True)
        >>> texts = ["wheat and corn", "corn harvest", "wheat harvest", "a goal in the match", "the match was won", "goal won"]
        >>> added = index.add(vicinal.Document(f"d{i}", text) for i, text in enumerate(texts))
        >>> fitted = index.fit(n_clusters=2)
        >>> pinned = index.pin_cluster(0)
        >>> print(index.unpin_cluster(0))
        constraint 1 (pin of cluster 0)
        """
        return self._steer(lambda state: changes.unpin_cluster(state, cluster))

    def undo(self, constraint: int) -> Constraint:
        """Undo a merge, a split, a move or a pin.

        Documents go back to the clusters that they were in, unless another constraint holds them. After a merge, the clusters
        that ended have their numbers and names again; after a split, the parts are one cluster again.

        Parameters
        ----------
        constraint : int
            Its number, as `constraints` lists it.

        Returns
        -------
        Constraint
            The one that was undone.

        Raises
        ------
        BadParameter
            There is no such constraint, or a later one contradicts what was before.
        TooFewDocuments
            The index is not fitted.

        Examples
        --------
        >>> import vicinal
        >>> index = vicinal.open("undo.vic", create=True)
        >>> texts = ["wheat and corn", "corn harvest", "wheat harvest", "a goal in the match", "the match was won", "goal won"]
        >>> added = index.add(vicinal.Document(f"d{i}", text) for i, text in enumerate(texts))
        >>> fitted = index.fit(n_clusters=2)
        >>> moved = index.move_documents(["d0"], 1 - index.search("corn", 1)[0].cluster)
        >>> print(index.undo(moved.number).kind, index.constraints())
        move []
        """
        return self._steer(lambda state: changes.undo(state, constraint))
