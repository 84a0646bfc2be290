"""Reuters-21578 as the papers used it: 8,067 newswire stories with exactly one topic, in the 30 largest topics."""

from __future__ import annotations

import html
import re
import tarfile
from collections import Counter
from functools import cache
from typing import NamedTuple

import numpy as np

from corpora.place import locate
from vicinal._typing import IntArray
from vicinal.errors import BadParameter

_STORY = re.compile(r"<REUTERS ([^>]*)>(.*?)</REUTERS>", re.DOTALL)
_ATTRIBUTE = re.compile(r'(\w+)="([^"]*)"')
_TOPICS = re.compile(r"<TOPICS>(.*?)</TOPICS>", re.DOTALL)
_TOPIC = re.compile(r"<D>(.*?)</D>")
_TITLE = re.compile(r"<TITLE>(.*?)</TITLE>", re.DOTALL)
_BODY = re.compile(r"<BODY>(.*?)</BODY>", re.DOTALL)


class _Story(NamedTuple):
    subset: str
    topic: str
    text: str


def load(subset: str = "all", n_topics: int | None = 30) -> tuple[list[str], IntArray, list[str]]:
    """Return stories (title and body), the number of each one's topic, and the topics' names.

    A story counts when it is marked ``TOPICS="YES"``, is in the training or the test part of Lewis' split, and has
    exactly one topic and a body: 8,293 stories in 65 topics, of which the 30 largest hold 8,067.

    Parameters
    ----------
    subset : {"all", "train", "test"}
        Part of Lewis' split. The topics are chosen, and numbered, from all.
    n_topics : int or None
        How many of the largest topics to keep; None for all 65. Three topics of 18 stories share the thirtieth
        place: the one that comes first in the files (orange) has it.

    Returns
    -------
    texts : list of str
        In the order of the files.
    labels : array of int64
        0 for the largest topic, and so on down.
    names : list of str
    """
    if subset not in ("all", "train", "test"):
        raise BadParameter(f"subset must be 'all', 'train' or 'test', got {subset!r}.")
    # most_common keeps equals in the order in which they were first met
    names = [topic for topic, _ in Counter(story.topic for story in _stories()).most_common(n_topics)]
    number = {name: i for i, name in enumerate(names)}
    kept = [story for story in _stories() if story.topic in number and subset in ("all", story.subset)]
    return [story.text for story in kept], np.array([number[story.topic] for story in kept], dtype=np.int64), names


@cache
def _stories() -> tuple[_Story, ...]:
    """Every story that counts. Decompressing takes seconds, so it is done once per process."""
    with tarfile.open(locate("reuters"), "r:xz") as archive:
        files = {}
        for member in archive:
            content = archive.extractfile(member) if member.name.endswith(".sgm") else None
            if content is not None:
                files[member.name] = content.read().decode("latin-1")
    found = (_story(*match) for name in sorted(files) for match in _STORY.findall(files[name]))
    return tuple(story for story in found if story is not None)


def _story(attributes: str, content: str) -> _Story | None:
    marks = dict(_ATTRIBUTE.findall(attributes))
    topics = _TOPIC.findall("".join(_TOPICS.findall(content)))
    title, body = _TITLE.search(content), _BODY.search(content)
    if marks["TOPICS"] != "YES" or marks["LEWISSPLIT"] not in ("TRAIN", "TEST") or len(topics) != 1 or body is None:
        return None
    text = f"{title[1]}\n\n{body[1]}" if title else body[1]
    return _Story(marks["LEWISSPLIT"].lower(), topics[0], html.unescape(text))
