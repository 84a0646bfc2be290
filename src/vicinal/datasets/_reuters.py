"""`load_reuters`: Reuters-21578, the stories with exactly one topic."""

from __future__ import annotations

import html
import os
import re
from collections import Counter
from collections.abc import Iterator

from vicinal._validate import check_count
from vicinal.corpus import Document
from vicinal.datasets._archive import files_in
from vicinal.datasets._dataset import Dataset, check_subset, in_subset
from vicinal.errors import EmptyCorpus

_FILE = re.compile(r".*\.sgm")
_STORY = re.compile(r"<REUTERS ([^>]*)>(.*?)</REUTERS>", re.DOTALL)
_ATTRIBUTE = re.compile(r'(\w+)="([^"]*)"')
_TOPICS = re.compile(r"<TOPICS>(.*?)</TOPICS>", re.DOTALL)
_TOPIC = re.compile(r"<D>(.*?)</D>")
_TITLE = re.compile(r"<TITLE>(.*?)</TITLE>", re.DOTALL)
_BODY = re.compile(r"<BODY>(.*?)</BODY>", re.DOTALL)


def load_reuters(path: str | os.PathLike[str], *, subset: str = "all", n_classes: int | None = 30) -> Dataset:
    """Load Reuters-21578 as the papers on LPI use it: 8,067 newswire stories with exactly one topic, in the 30 largest topics.

    A story is kept when it is marked ``TOPICS="YES"``, is in the training or the test part of Lewis' split, and has
    exactly one topic and a body: 8,293 stories in 65 topics.

    Parameters
    ----------
    path : path
        The archive ``reuters21578.tar.gz`` (or another compression) with its ``.sgm`` files, or the folder it was unpacked into.
    subset : {"all", "train", "test"}, default="all"
        Part of Lewis' split. Classes are chosen, and numbered, from all.
    n_classes : int or None, default=30
        How many of the largest topics to keep; None for all 65. Of topics of the same size, the one that occurs first is
        the larger: three topics of 18 stories share the thirtieth place, and orange has it.

    Returns
    -------
    Dataset
        Stories in the order of the files, with the headline as title; ids are the numbers ``NEWID``; the metadata ``subset``
        is "train" or "test". Class 0 is the largest topic, and so on down.

    Raises
    ------
    NoSuchSource
        Nothing has that path.
    EmptyCorpus
        There are no such stories in it.
    BadData
        It is not a tar archive.
    BadParameter
        ``subset`` or ``n_classes`` is none of these.

    References
    ----------
    D. D. Lewis, "Reuters-21578 text categorization test collection", distribution 1.0, 1997. The selection is that of
    D. Cai, X. He and J. Han, "Document clustering using locality preserving indexing", TKDE 2005, section 5.1.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from vicinal.datasets import load_reuters
    >>> story = ('<REUTERS TOPICS="YES" LEWISSPLIT="TRAIN" NEWID="1"><TOPICS><D>grain</D></TOPICS>'
    ...          '<TITLE>WHEAT UP</TITLE><BODY>Prices rose.</BODY></REUTERS>')
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = Path(folder, "reut2-000.sgm").write_text(story)
    ...     dataset = load_reuters(folder)
    >>> dataset[0].title, dataset[0].label, dataset.labels.tolist()
    ('WHEAT UP', 'grain', [0])
    """
    check_subset(subset)
    if n_classes is not None:
        check_count("n_classes", n_classes)
    stories = list(_stories(path))
    if not stories:
        raise EmptyCorpus(
            f"no stories in {os.fspath(path)}: no .sgm file of it holds a story with one topic and a body. "
            f"Give the folder or archive of Reuters-21578."
        )
    # most_common keeps equals in the order in which they were first met
    names = tuple(topic for topic, _ in Counter(story.label for story in stories).most_common(n_classes))
    return Dataset(tuple(story for story in stories if story.label in names and in_subset(story, subset)), names)


def _stories(path: str | os.PathLike[str]) -> Iterator[Document]:
    files = sorted((name[0], content) for name, content in files_in(path, _FILE))
    for name, content in files:
        for match in _STORY.finditer(content):
            story = _story(match[1], match[2], name)
            if story is not None:
                yield story


def _story(attributes: str, content: str, file: str) -> Document | None:
    marks = dict(_ATTRIBUTE.findall(attributes))
    topics = _TOPIC.findall("".join(_TOPICS.findall(content)))
    title, body = _TITLE.search(content), _BODY.search(content)
    split = marks.get("LEWISSPLIT", "")
    if marks.get("TOPICS") != "YES" or split not in ("TRAIN", "TEST") or len(topics) != 1 or body is None:
        return None
    headline = html.unescape(title[1]) if title else ""
    return Document(marks.get("NEWID", ""), html.unescape(body[1]), headline, topics[0], file, {"subset": split.lower()})
