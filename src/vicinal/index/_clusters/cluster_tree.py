"""The tree of clusters of an index: kept with the fit, grown again around clusters that people change."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import scipy.sparse as sp

from vicinal._consensus.merge_tree import MergeTree, TermLists
from vicinal._consensus.regrown import leaves_by_terms, regrow
from vicinal._content_keys import Keys, keys_of_texts
from vicinal._store import Arrays, Documents, Store
from vicinal._typing import IntArray
from vicinal.errors import DamagedIndex, NoTree
from vicinal.index import _stored
from vicinal.index._stored import consistent, current_rows, load_names, n_fitted_to
from vicinal.projection._products import Products
from vicinal.uses import Tree
from vicinal.uses._tree.short_ids import short_ids
from vicinal.uses._tree.tree import named_terms, node_keys

if TYPE_CHECKING:
    from vicinal.index._index_state import IndexState
    from vicinal.index._model import Model
    from vicinal.index._rows import Rows


def save_tree(store: Store, found: MergeTree, numbers: IntArray, keys: Keys) -> None:
    """Keep a tree.

    Parameters
    ----------
    store : Store
    found : MergeTree
        Of the rows of the index.
    numbers : int array (clusters,)
        The number of each cluster, which lasts over a refit: the tree knows clusters by it.
    keys : uint64 array (rows,)
        One per document, by its id: the id of a node is made of those of its documents.
    """
    arrays = Arrays(store)
    fitted = np.full(int(numbers.max(initial=-1)) + 1, -1, dtype=np.int64)
    fitted[numbers] = found.fitted
    arrays.put(_stored.TREE_LEAVES, found.leaves.astype(np.int64))
    arrays.put(_stored.TREE_MERGES, found.merges.astype(np.int64))
    arrays.put(_stored.TREE_HEIGHTS, found.heights)
    arrays.put(_stored.TREE_CLUSTERS, fitted)
    arrays.put(_stored.TREE_EDGES, sp.csr_array(found.between).astype(np.float32))
    arrays.put(_stored.TREE_IDS, list(short_ids(node_keys(found.merges, found.leaves, keys))))
    for name, lists in ((_stored.TREE_TERMS, found.distinguishing), (_stored.TREE_APART, found.apart)):
        arrays.put(f"{name}/terms", lists.terms.astype(np.int64))
        arrays.put(f"{name}/weights", lists.relevance.astype(np.float32))


def save_tree_of_fit(store: Store, found: MergeTree, numbers: IntArray, documents: IntArray) -> None:
    """Keep the tree of a fit to documents with these numbers in the store, in place of another."""
    save_tree(store, found, numbers, keys_of_texts(Documents(store).ids(documents)))


def save_tree_of_changed(state: IndexState, clusters: IntArray, numbers: IntArray) -> None:
    """Grow the tree again around clusters that were changed by hand; an index that has none gets none.

    Parameters
    ----------
    state : IndexState
        As it was before.
    clusters : int array (rows,)
        The clusters of its rows, from 0; -1 for none.
    numbers : int array (clusters,)
    """
    store, rows = state.store, state.rows
    if not has_tree(store):
        return
    arrays = Arrays(store)
    kept, leaves = _leaves_of_rows(store, rows.numbers)
    between = sp.csr_array(arrays.get(_stored.TREE_EDGES)).astype(np.float64)
    found = regrow(leaves, between, state.model.evidence(rows.counts), clusters, len(numbers))
    every = np.full(len(arrays.get(_stored.NUMBERS)), -1, dtype=np.int64)
    keys = np.zeros(len(every), dtype=np.uint64)
    every[kept], keys[kept] = found.leaves, _keys(store, rows.numbers, kept, found.leaves)
    save_tree(store, replace(found, leaves=every), numbers, keys)


def _keys(store: Store, documents: IntArray, rows: IntArray, leaves: IntArray) -> Keys:
    """Keys of documents: those that came after the fit count where a leaf has no others, so that most ids last."""
    keys, fitted = keys_of_texts(Documents(store).ids(documents)), rows < n_fitted_to(store)
    return np.where(~fitted & np.isin(leaves, leaves[fitted]), np.uint64(0), keys)


def _leaves_of_rows(store: Store, documents: IntArray) -> tuple[IntArray, IntArray]:
    """The row of each current document, and its leaf in the tree as it was kept, -1 for none."""
    leaves = Arrays(store).get(_stored.TREE_LEAVES)
    rows = current_rows(store, Arrays(store).get(_stored.NUMBERS), documents)
    return rows, np.where(rows < len(leaves), leaves[np.minimum(rows, len(leaves) - 1)], -1)


def has_tree(store: Store) -> bool:
    """Whether the index was fitted by a version that keeps the tree."""
    return any(name.startswith(_stored.TREE) for name in Arrays(store).names())


def load_tree(state: IndexState) -> Tree:
    """The tree, with the leaf of every embedded document; NoTree where the index was fitted before there were trees."""
    state.require_fitted("cut the tree of clusters")
    store = state.store
    if not has_tree(store):
        raise NoTree(f"{store.path} keeps no tree of clusters: it was fitted by an earlier version. Fit again to get a tree.")
    with consistent(store):
        tree = stored_tree(store, state.model)
    if not _is_of(tree, state):
        why = "an earlier version has changed its clusters, and the tree is of those before"
        raise NoTree(f"{store.path} keeps no tree of its clusters: {why}. Fit again to get a tree.")
    with consistent(store):
        return _with_all_leaves(tree, state)


def check_tree(state: IndexState) -> None:
    """DamagedIndex where there is a tree and it does not fit together, or not with the documents."""
    if has_tree(state.store):
        with consistent(state.store):
            tree = stored_tree(state.store, state.model)
            if _is_of(tree, state):
                _with_all_leaves(tree, state)


def _is_of(tree: Tree, state: IndexState) -> bool:
    """Whether the tree has the clusters that there are now: all with documents, and no others."""
    known = set(np.flatnonzero(tree.fitted >= 0).tolist())
    held = set(np.unique(state.cluster_numbers[state.cluster_numbers >= 0]).tolist())
    return held <= known <= set(state.cluster_table.numbers)


def stored_tree(store: Store, model: Model) -> Tree:
    """The tree as it was kept, of the documents that were fitted."""
    arrays, forms = Arrays(store), model.vocabulary.forms[model.vocabulary.shared]
    names = _stored.TREE_LEAVES, _stored.TREE_MERGES, _stored.TREE_HEIGHTS, _stored.TREE_CLUSTERS
    leaves, merges, heights, fitted = (arrays.get(name) for name in names)
    ids = tuple(map(str, arrays.get(_stored.TREE_IDS)))
    shapes = len(ids) == 2 * len(merges) + 1 and arrays.outline(_stored.TREE_EDGES).shape == (len(merges) + 1,) * 2
    if not shapes or max(leaves.max(initial=-1), fitted.max(initial=-1) - len(merges)) > len(merges):
        raise DamagedIndex(f"{store.path}: the tree of clusters does not fit together. Fit the index again.")
    distinguishing, apart = (
        named_terms(TermLists(arrays.get(f"{name}/terms"), arrays.get(f"{name}/weights").astype(np.float64)), forms)
        for name in (_stored.TREE_TERMS, _stored.TREE_APART)
    )
    return Tree(leaves, merges, heights, fitted, ids, distinguishing, apart, load_names(store))


def _with_all_leaves(tree: Tree, state: IndexState) -> Tree:
    """The tree of the documents that are there now."""
    rows, (_, leaves) = state.rows, _leaves_of_rows(state.store, state.rows.numbers)
    clusters, cluster_of = state.cluster_numbers, tree.of_documents(np.arange(tree.n_leaves)).cut().labels
    leaves = np.where((leaves >= 0) & (cluster_of[leaves] == clusters), leaves, -1)
    for cluster in np.unique(clusters[(leaves < 0) & (clusters >= 0)]):
        here = np.flatnonzero(clusters == cluster)
        leaves[here] = _by_terms(state.model, rows, here, leaves[here], np.flatnonzero(cluster_of == cluster))
    return tree.of_documents(leaves)


def _by_terms(model: Model, rows: Rows, documents: IntArray, leaves: IntArray, choices: IntArray) -> IntArray:
    """The leaves of the documents of a cluster; those without one get it by their terms."""
    if not len(choices):
        return leaves
    own = np.where(leaves >= 0, np.searchsorted(choices, leaves), -1)
    return choices[leaves_by_terms(Products(model.evidence(rows.counts[documents])), own, len(choices))]
