"""20 Newsgroups, sorted by date: 11,314 posts to learn from and 7,532 later ones, in 20 groups."""

from __future__ import annotations

import re
import tarfile
from collections.abc import Collection
from functools import cache
from typing import NamedTuple

import numpy as np

from corpora.place import locate
from vicinal._typing import IntArray
from vicinal.errors import BadParameter

_HEADER = re.compile(r"^([!-9;-~]+):[ \t]*(.*(?:\n[ \t].*)*)", re.MULTILINE)


class _Post(NamedTuple):
    subset: str
    group: str
    number: int
    content: str


def load(subset: str = "all", headers: Collection[str] = ("subject",)) -> tuple[list[str], IntArray, list[str]]:
    """Return posts, the number of each one's group, and the groups' names.

    Parameters
    ----------
    subset : {"all", "train", "test"}
        With "all", the posts to learn from come first.
    headers : collection of str, or "all"
        Header lines whose content (without their name) is put before the body; "all" leaves the post as it was sent.

    Returns
    -------
    texts : list of str
        In the order of group and number.
    labels : array of int64
    names : list of str
        The groups, sorted.
    """
    if subset not in ("all", "train", "test"):
        raise BadParameter(f"subset must be 'all', 'train' or 'test', got {subset!r}.")
    if isinstance(headers, str) and headers != "all":
        raise BadParameter(f"headers must be 'all' or a collection of names, got {headers!r}. Use ({headers!r},).")
    posts = [post for post in _posts() if subset in ("all", post.subset)]
    names = sorted({post.group for post in _posts()})
    number = {name: i for i, name in enumerate(names)}
    labels = np.array([number[post.group] for post in posts], dtype=np.int64)
    return [_text(post.content, headers) for post in posts], labels, names


@cache
def _posts() -> tuple[_Post, ...]:
    """Every post, those to learn from first. Decompressing takes seconds, so it is done once per process."""
    posts = []
    with tarfile.open(locate("newsgroups"), "r:xz") as archive:
        for member in archive:
            content = archive.extractfile(member) if member.isfile() else None
            if content is not None:
                folder, group, number = member.name.removeprefix("./").split("/")
                posts.append(_Post(folder.rpartition("-")[2], group, int(number), content.read().decode("latin-1")))
    return tuple(sorted(posts, key=lambda post: (post.subset != "train", post.group, post.number)))


def _text(content: str, headers: Collection[str]) -> str:
    if headers == "all":
        return content
    head, _, body = content.partition("\n\n")
    wanted = {name.lower() for name in headers}
    kept = [" ".join(value.split()) for name, value in _HEADER.findall(head) if name.lower() in wanted]
    return "\n\n".join([*kept, body])
