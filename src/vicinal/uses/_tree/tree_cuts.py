"""What an estimator with a tree of clusters can be asked: cuts of the tree."""

from __future__ import annotations

from collections.abc import Iterable

from sklearn.utils.validation import check_is_fitted

from vicinal.uses._tree.cut import Cut
from vicinal.uses._tree.tree import Tree


class TreeCuts:
    """A fitted estimator whose ``tree_`` can be cut."""

    tree_: Tree

    def cut(self, n_clusters: int | None = None, *, level: str | None = None, nodes: Iterable[str] | None = None) -> Cut:
        """Cut the tree of clusters at another number of clusters; nothing is learnt again.

        Parameters
        ----------
        n_clusters : int, optional
            Number of clusters, from 1 to ``tree_.n_leaves``.
        level : {"fine", "medium", "coarse"}, optional
            "medium" are the clusters of the fit, "fine" three times as many, and "coarse" a third.
        nodes : iterable of str, optional
            The ids of the nodes that are clusters: every document must be in exactly one of them.

        Returns
        -------
        Cut
            The clusters, with ``labels`` and ``sizes``; those of the fit where nothing is given. ``open`` and ``close`` change it.

        Raises
        ------
        BadParameter
            More than one of the three is given, or the tree cannot be cut so.
        """
        check_is_fitted(self, "tree_")
        return self.tree_.cut(n_clusters, level=level, nodes=nodes)
