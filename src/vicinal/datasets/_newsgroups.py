"""`load_newsgroups`: the 20 Newsgroups, split by date."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterator

from vicinal.corpus import Document
from vicinal.datasets._archive import files_in
from vicinal.datasets._dataset import Dataset, check_subset, in_subset
from vicinal.errors import BadParameter, EmptyCorpus

_HEADER = re.compile(r"^([!-9;-~]+):[ \t]*(.*(?:\n[ \t].*)*)", re.MULTILINE)
_POST = re.compile(r"(?:.*/)?[^/]*-(train|test)/([^/]+)/(\d+)")


def load_newsgroups(path: str | os.PathLike[str], *, subset: str = "all", headers: str | Collection[str] = ("subject",)) -> Dataset:
    """Load the 20 Newsgroups: 11,314 posts for training and 7,532 later ones for testing, in 20 groups.

    Parameters
    ----------
    path : path
        The archive ``20news-bydate.tar.gz`` (or another compression), or the folder it was unpacked into.
    subset : {"all", "train", "test"}, default="all"
        Which posts; with "all", those for training come first.
    headers : collection of str or "all", default=("subject",)
        Header lines to keep. The subject becomes the title, the values of others stand before the body. "all" leaves the
        post as it was sent, in the text.

    Returns
    -------
    Dataset
        Posts in the order of group and number; ids such as ``"rec.autos/102994"``; the metadata ``subset`` is "train" or "test".

    Raises
    ------
    NoSuchSource
        Nothing has that path.
    EmptyCorpus
        There are no posts in it.
    BadData
        It is not a tar archive.
    BadParameter
        ``subset`` or ``headers`` is none of these.

    References
    ----------
    K. Lang, "NewsWeeder: Learning to filter netnews", ICML 1995. The split by date is J. Rennie's.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from vicinal.datasets import load_newsgroups
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     group = Path(folder, "20news-bydate-train", "rec.gardens")
    ...     group.mkdir(parents=True)
    ...     _ = Path(group, "7").write_text("From: a reader\\nSubject: Roses\\n\\nPrune them in March.")
    ...     dataset = load_newsgroups(folder, subset="train")
    >>> dataset[0].title, dataset[0].text, dataset.label_names
    ('Roses', 'Prune them in March.', ('rec.gardens',))
    """
    check_subset(subset)
    if isinstance(headers, str) and headers != "all":
        raise BadParameter(f"headers must be 'all' or a collection of names, got {headers!r}. Use headers=({headers!r},).")
    posts = sorted(_posts(path, headers), key=_order)
    if not posts:
        raise EmptyCorpus(
            f"no posts in {os.fspath(path)}: no file of it is named …-train/group/number or …-test/group/number. "
            f"Give the folder or archive of the version by date."
        )
    names = tuple(sorted({post.label for post in posts}))
    return Dataset(tuple(post for post in posts if in_subset(post, subset)), names)


def _order(post: Document) -> tuple[bool, str, int]:
    return post.metadata["subset"] != "train", post.label, int(post.id.rpartition("/")[2])


def _posts(path: str | os.PathLike[str], headers: str | Collection[str]) -> Iterator[Document]:
    wanted = None if isinstance(headers, str) else {name.lower() for name in headers}
    for name, content in files_in(path, _POST):
        title, text = ("", content) if wanted is None else _parts(content, wanted)
        yield Document(f"{name[2]}/{name[3]}", text, title, name[2], name[0], {"subset": name[1]})


def _parts(content: str, wanted: set[str]) -> tuple[str, str]:
    """The subject, if it is wanted, and the values of the other wanted headers before the body."""
    head, _, body = content.partition("\n\n")
    kept = [(name.lower(), " ".join(value.split())) for name, value in _HEADER.findall(head) if name.lower() in wanted]
    title = next((value for name, value in kept if name == "subject"), "")
    return title, "\n\n".join([*(value for name, value in kept if name != "subject"), body])
