"""`load_smart`: small collections with queries and relevance judgements, in SMART's format."""

from __future__ import annotations

import os
import re

from vicinal._validate import check_choice
from vicinal.corpus import Document
from vicinal.datasets._archive import files_in
from vicinal.datasets._dataset import RetrievalDataset
from vicinal.errors import EmptyCorpus

#: Documents, queries, judgements.
_FILES = {
    "cranfield": ("cran/cran.all.1400", "cran/cran.qry", "cran/cranqrel"),
    "med": ("med/MED.ALL", "med/MED.QRY", "med/MED.REL"),
    "cisi": ("cisi/CISI.ALL", "cisi/CISI.QRY", "cisi/CISI.REL"),
}
SMART_NAMES = tuple(_FILES)

# Where a line of judgements has the document's number; the query's is always first.
_DOCUMENT_COLUMN = {"cranfield": 1, "med": 2, "cisi": 1}
_UNEXPLAINED = "-1"  # stands once per query in Cranfield's third column; its documentation does not explain it

_SECTION = re.compile(r"\.([A-Z])\s*")


def load_smart(path: str | os.PathLike[str], name: str) -> RetrievalDataset:
    """Load one of the collections Cranfield, MED and CISI: documents, queries and relevance judgements.

    Parameters
    ----------
    path : path
        A tar archive, or a folder, with the folders ``cran``, ``med`` and ``cisi`` and SMART's files in them
        (``cran/cran.all.1400``, ``med/MED.ALL``, ...).
    name : {"cranfield", "med", "cisi"}
        Aerodynamics: 1,400 documents and 225 queries. Medicine: 1,033 and 30. Library science: 1,460 and 112, of which 76
        are judged.

    Returns
    -------
    RetrievalDataset
        Documents with their titles (MED has none) and abstracts. Cranfield's documents 471 and 995 are empty.

    Raises
    ------
    NoSuchSource
        Nothing has that path.
    EmptyCorpus
        The collection's files are not in it; the message names them.
    BadData
        It is not a tar archive.
    BadParameter
        ``name`` is none of these.

    References
    ----------
    G. Salton (editor), "The SMART retrieval system", Prentice-Hall, 1971.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from vicinal.datasets import load_smart
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     Path(folder, "med").mkdir()
    ...     _ = Path(folder, "med", "MED.ALL").write_text(".I 1\\n.W\\nlens of the eye\\n.I 2\\n.W\\nbone growth\\n")
    ...     _ = Path(folder, "med", "MED.QRY").write_text(".I 1\\n.W\\nhow bones grow\\n")
    ...     _ = Path(folder, "med", "MED.REL").write_text("1 0 2 1\\n")
    ...     dataset = load_smart(folder, "med")
    >>> dataset.queries, dataset.relevant
    (('how bones grow',), (frozenset({1}),))
    """
    wanted = _FILES[check_choice("name", name, SMART_NAMES)]
    names = re.compile(rf"(?:.*/)?({'|'.join(map(re.escape, wanted))})")
    found = {name[1]: content for name, content in files_in(path, names)}
    missing = [file for file in wanted if file not in found]
    if missing:
        raise EmptyCorpus(f"the collection {name!r} is not in {os.fspath(path)}: there is no {', '.join(missing)}. Check the path.")
    documents, queries, judgements = (found[file] for file in wanted)
    asked = _records(queries)
    return RetrievalDataset(
        name=name,
        documents=tuple(_document(number, record, wanted[0]) for number, record in enumerate(_records(documents), start=1)),
        queries=tuple(_document(number, record, wanted[1]).full_text for number, record in enumerate(asked, start=1)),
        relevant=_relevant(judgements, _DOCUMENT_COLUMN[name], len(asked)),
    )


def _records(content: str) -> list[dict[str, str]]:
    """Split at ``.I``; in each record a line ``.T``, ``.W``, … begins a section. A section that comes twice goes on."""
    records: list[dict[str, list[str]]] = []
    section = ""
    for line in content.splitlines():
        if line.startswith(".I "):
            records.append({})
            continue
        heading = _SECTION.fullmatch(line)
        if heading:
            section = heading[1]
        elif records:
            records[-1].setdefault(section, []).append(line.rstrip())
    return [{key: "\n".join(lines).strip() for key, lines in record.items()} for record in records]


def _document(number: int, record: dict[str, str], file: str) -> Document:
    title, body = " ".join(record.get("T", "").split()), record.get("W", "")
    return Document(str(number), _without_title(body, title), title, source=file)


def _without_title(body: str, title: str) -> str:
    """A body without the title in front of it: Cranfield's abstracts begin with it."""
    if not title:
        return body
    repeated = re.match(r"\s+".join(map(re.escape, title.split())), body)
    return body[repeated.end() :].lstrip() if repeated else body


def _relevant(judgements: str, document_column: int, n_queries: int) -> tuple[frozenset[int], ...]:
    """Judgements count queries by position from 1, also where the queries' own numbers leave gaps (Cranfield)."""
    found: list[set[int]] = [set() for _ in range(n_queries)]
    for line in judgements.splitlines():
        fields = line.split()
        if fields and fields[2] != _UNEXPLAINED:
            found[int(fields[0]) - 1].add(int(fields[document_column]) - 1)
    return tuple(frozenset(positions) for positions in found)
