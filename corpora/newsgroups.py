"""20 Newsgroups, sorted by date: 11,314 posts to learn from and 7,532 later ones, in 20 groups."""

from __future__ import annotations

from collections.abc import Collection
from functools import cache

from corpora.place import joined, locate, part
from vicinal._typing import IntArray
from vicinal.datasets import Dataset, load_newsgroups


def load(subset: str = "all", headers: Collection[str] = ("subject",)) -> tuple[list[str], IntArray, list[str]]:
    """Return posts, the number of each one's group, and the groups' names, sorted; see `vicinal.datasets.load_newsgroups`.

    Parameters
    ----------
    subset : {"all", "train", "test"}
        With "all", the posts to learn from come first.
    headers : collection of str, or "all"
        Header lines whose content (without their name) is put before the body; "all" leaves the post as it was sent.
    """
    found = part(_all(headers if isinstance(headers, str) else tuple(headers)), subset)
    return joined(found), found.labels, list(found.label_names)


@cache
def _all(headers: str | tuple[str, ...]) -> Dataset:
    """Every post. Decompressing takes seconds, so it is done once per process and choice of headers."""
    return load_newsgroups(locate("newsgroups"), headers=headers)
