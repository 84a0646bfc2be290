"""What can be asked about the clusters of an index: the methods on them that `Index` and `Snapshot` share."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING

from vicinal._validate import check_count
from vicinal.index._clusters import subclusters, uncertain
from vicinal.index._clusters.cluster_path import ClusterName
from vicinal.index._clusters.cluster_results import Constraint, Uncertain
from vicinal.index._clusters.constraints import load_constraints
from vicinal.index._clusters.hints import show_hints
from vicinal.index._results import Cluster
from vicinal.index._search.hits import Hit

if TYPE_CHECKING:
    from vicinal.index._index_state import IndexState
    from vicinal.uses import Tree


class ClusterReader(ABC):
    """The read-only methods of an index on its clusters."""

    @abstractmethod
    def _reading(self) -> AbstractContextManager[IndexState]:
        """The state that is asked, for as long as the block lasts."""

    def clusters(
        self,
        of: ClusterName | None = None,
        n_clusters: int | str = "auto",
        *,
        level: str | None = None,
        nodes: Iterable[str] | None = None,
    ) -> list[Cluster]:
        """Describe the clusters of the documents, those of another cut of the tree, or the parts of one cluster.

        A cut learns nothing. A cluster is opened by clustering its documents again by themselves, with the terms that distinguish
        them there. Nothing is written; what was found is kept in memory until the index changes.

        Parameters
        ----------
        of : int, str or sequence of int, optional
            The cluster to open: its number, or the ``path`` of a part, such as "3.1". The id of a node of the tree gives the nodes
            that it is made of, for which nothing is learnt.
        n_clusters : int or "auto", default="auto"
            The number of parts, by default that of largest modularity; without ``of``, the number of clusters of a cut.
        level : {"fine", "medium", "coarse"}, optional
            A cut: "medium" are the clusters of the fit, "fine" three times as many, and "coarse" a third.
        nodes : iterable of str, optional
            A cut by hand: the ids of its nodes. Every document must be in exactly one of them.

        Returns
        -------
        list of Cluster
            Largest first. Empty before the first fit, and for a cluster that cannot be opened further: fewer than four documents
            share terms, or nothing distinguishes them. A document without a term that another of its cluster has is in no part.

        Raises
        ------
        BadParameter
            There is no such cluster, or no such cut.
        NoTree
            The index was fitted by a version that kept no tree.

        Examples
        --------
        >>> import vicinal
        >>> index = vicinal.open("clusters.vic", create=True)
        >>> texts = ["wheat and corn", "corn harvest", "wheat harvest", "a goal in the match", "the match was won", "goal won"]
        >>> added = index.add(vicinal.Document(f"d{i}", text) for i, text in enumerate(texts))
        >>> fitted = index.fit(n_clusters=2)
        >>> [(cluster.number, cluster.size) for cluster in index.clusters()]
        [(0, 3), (1, 3)]
        """
        with self._reading() as state:
            return subclusters.clusters(state, of, n_clusters, level, nodes) if state.fitted else []

    def members(self, cluster: ClusterName, limit: int = 10) -> list[Hit]:
        """List the documents of a cluster, or of a part of one, the most typical first.

        Parameters
        ----------
        cluster : int, str or sequence of int
            Its number, the ``path`` of a part, such as "3.1", or the id of a node of the tree.
        limit : int, default=10
            The number of documents at most.

        Returns
        -------
        list of Hit
            The score is the cosine of a document's embedding with the centroid of the cluster. Empty before the first fit.

        Raises
        ------
        BadParameter
            There is no such cluster, or ``limit`` is out of range.

        Examples
        --------
        >>> import vicinal
        >>> index = vicinal.open("members.vic", create=True)
        >>> texts = ["wheat and corn", "corn harvest", "wheat harvest", "a goal in the match", "the match was won", "goal won"]
        >>> added = index.add(vicinal.Document(f"d{i}", text) for i, text in enumerate(texts))
        >>> fitted = index.fit(n_clusters=2)
        >>> sorted(hit.id for hit in index.members(index.search("corn", 1)[0].cluster))
        ['d0', 'd1', 'd2']
        """
        check_count("limit", limit)
        with self._reading() as state:
            return subclusters.members(state, cluster, limit) if state.fitted else []

    def tree(self) -> Tree:
        """Return the tree of the clusters: nested clusters from fine to coarse, which can be cut without learning again.

        Returns
        -------
        Tree
            Its documents are those that the model has embedded, in the order of the index; one that was added since the fit is in
            the leaf of its cluster under which its terms are likeliest. Clusters have their lasting numbers and the names that
            they were given. After a merge, a split or a move the tree is grown again around the clusters that there are now, from
            the same leaves. The ids of nodes depend on the ids of the documents that were fitted, and last.

        Raises
        ------
        NoTree
            The index was fitted, or its clusters changed, by a version that kept no tree.
        TooFewDocuments
            The index is not fitted.

        Examples
        --------
        >>> import vicinal
        >>> index = vicinal.open("tree.vic", create=True)
        >>> texts = ["wheat and corn", "corn harvest", "wheat harvest", "a goal in the match", "the match was won", "goal won"]
        >>> added = index.add(vicinal.Document(f"d{i}", text) for i, text in enumerate(texts))
        >>> fitted = index.fit(n_clusters=2)
        >>> tree = index.tree()
        >>> tree.node(tree.root).size, tree.cut().sizes.tolist()
        (6, [3, 3])
        """
        with self._reading() as state:
            return state.cluster_tree

    def constraints(self) -> list[Constraint]:
        """List what people decided about clusters, and every fit keeps.

        Returns
        -------
        list of Constraint
            Oldest first.

        Examples
        --------
        >>> import vicinal
        >>> index = vicinal.open("constraints.vic", create=True)
        >>> texts = ["wheat and corn", "corn harvest", "wheat harvest", "a goal in the match", "the match was won", "goal won"]
        >>> added = index.add(vicinal.Document(f"d{i}", text) for i, text in enumerate(texts))
        >>> fitted = index.fit(n_clusters=2)
        >>> pinned = index.pin_cluster(1)
        >>> index.constraints()
        [Constraint(number=1, kind='pin', clusters=(1,), n_documents=3, notes=(), name='', words=(), ids=())]
        """
        with self._reading() as state:
            every = [*(each.shown() for each in load_constraints(state.store)), *show_hints(state.store)]
        return sorted(every, key=lambda each: each.number)

    def uncertain(self, limit: int = 20) -> list[Uncertain]:
        """List the documents with the highest uncertainty, which lie between two clusters.

        Documents that were moved, are pinned, or have a label that the fit used are left out: a person has decided.

        Parameters
        ----------
        limit : int, default=20
            The number of documents at most.

        Returns
        -------
        list of Uncertain
            The most uncertain first, each with the two clusters that it lies between. Empty before the first fit.

        Raises
        ------
        BadParameter
            ``limit`` is out of range.

        Examples
        --------
        >>> import vicinal
        >>> index = vicinal.open("uncertain.vic", create=True)
        >>> texts = ["wheat and corn", "corn harvest", "wheat harvest", "a goal in the match", "the match was won", "goal won"]
        >>> added = index.add(vicinal.Document(f"d{i}", text) for i, text in enumerate(texts))
        >>> fitted = index.fit(n_clusters=2)
        >>> found = index.uncertain(1)[0]
        >>> len(found.clusters), 0.0 <= found.uncertainty <= 1.0
        (2, True)
        """
        check_count("limit", limit)
        with self._reading() as state:
            return uncertain.uncertain(state, limit) if state.fitted else []
