"""How far the clusters agree with the modules of the documents, which the index is not given."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from vicinal.cli._demo.demo_documents import MODULE
from vicinal.cli._demo.findings import Agreement
from vicinal.corpus import Document
from vicinal.metrics import clustering_accuracy, normalized_mutual_info

if TYPE_CHECKING:
    from vicinal.index import Index

#: A module with fewer documents is too small to be a class.
CLASS_SIZE = 50
#: A cluster with this share of one module is pure.
PURE = 0.8


def in_large_modules(documents: Sequence[Document]) -> list[Document]:
    """The documents of the modules that are large enough to be classes; none where fewer than two modules are."""
    sizes = Counter(document.metadata[MODULE] for document in documents)
    large = {module for module, size in sizes.items() if size >= CLASS_SIZE}
    return [document for document in documents if document.metadata[MODULE] in large] if len(large) > 1 else []


def clusters_by_id(index: Index, folder: Path) -> dict[str, int]:
    """The cluster of every document, read from an exported file, as another program would get it."""
    file = folder / "documents.jsonl"
    index.export(file)
    with file.open(encoding="utf-8") as lines:
        return {row["id"]: row["cluster"] for row in map(json.loads, lines)}


def agree(cluster_of: Mapping[str, int], documents: Sequence[Document], seed: int) -> Agreement | None:
    """Compare clusters with modules, over the modules that are large enough; None if fewer than two are.

    For comparison the same clusters are assigned to the same documents at random.
    """
    kept = in_large_modules(documents)
    if not kept:
        return None
    modules = np.array([document.metadata[MODULE] for document in kept])
    clusters = np.array([cluster_of[document.id] for document in kept])
    shuffled = np.random.default_rng(seed).permutation(clusters)
    return Agreement(
        len(set(cluster_of.values()) - {-1}),
        _pure(cluster_of, documents),
        len(set(modules)),
        CLASS_SIZE,
        len(kept),
        normalized_mutual_info(modules, clusters),
        clustering_accuracy(modules, clusters),
        normalized_mutual_info(modules, shuffled),
        clustering_accuracy(modules, shuffled),
    )


def _pure(cluster_of: Mapping[str, int], documents: Sequence[Document]) -> int:
    inside: defaultdict[int, Counter[object]] = defaultdict(Counter)
    for document in documents:
        inside[cluster_of[document.id]][document.metadata[MODULE]] += 1
    inside.pop(-1, None)
    return sum(max(counts.values()) >= PURE * counts.total() for counts in inside.values())
