"""Reuters-21578 as the papers used it: 8,067 newswire stories with exactly one topic, in the 30 largest topics."""

from __future__ import annotations

from functools import cache

from corpora.place import joined, locate, part
from vicinal._typing import IntArray
from vicinal.datasets import Dataset, load_reuters


def load(subset: str = "all", n_topics: int | None = 30) -> tuple[list[str], IntArray, list[str]]:
    """Return stories (title and body), the number of each one's topic, and the topics' names, the largest first.

    Parameters
    ----------
    subset : {"all", "train", "test"}
        Part of Lewis' split. The topics are chosen, and numbered, from all.
    n_topics : int or None
        How many of the largest topics to keep; None for all 65. See `vicinal.datasets.load_reuters`.
    """
    found = part(_all(n_topics), subset)
    return joined(found), found.labels, list(found.label_names)


@cache
def _all(n_topics: int | None) -> Dataset:
    """Every story. Decompressing takes seconds, so it is done once per process and number of topics."""
    return load_reuters(locate("reuters"), n_classes=n_topics)
