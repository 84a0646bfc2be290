"""Small collections with questions and judged answers: Cranfield (aerodynamics), MED (medicine), CISI (libraries)."""

from __future__ import annotations

import re
import tarfile
from dataclasses import dataclass
from functools import cache

from corpora.place import locate
from vicinal.errors import BadParameter

_FILES = {
    "cranfield": ("cran/cran.all.1400", "cran/cran.qry", "cran/cranqrel"),
    "med": ("med/MED.ALL", "med/MED.QRY", "med/MED.REL"),
    "cisi": ("cisi/CISI.ALL", "cisi/CISI.QRY", "cisi/CISI.REL"),
}
NAMES = tuple(_FILES)

# Where a line of judgements has the document's number; the query's is always first.
_DOCUMENT_COLUMN = {"cranfield": 1, "med": 2, "cisi": 1}
_UNEXPLAINED = "-1"  # stands once per query in Cranfield's third column, and its readme says nothing of it

_SECTION = re.compile(r"\.([A-Z])\s*")


@dataclass(frozen=True)
class Collection:
    """Documents, queries and which documents answer which query.

    Attributes
    ----------
    texts : tuple of str
        Title and abstract; document number n is ``texts[n - 1]``. Cranfield's 471 and 995 are empty.
    titles : tuple of str
        Empty for MED, which has none.
    queries : tuple of str
    relevant : tuple of frozenset of int
        For each query, positions in ``texts`` of the documents judged relevant; empty for a query that nobody judged.
    """

    name: str
    texts: tuple[str, ...]
    titles: tuple[str, ...]
    queries: tuple[str, ...]
    relevant: tuple[frozenset[int], ...]

    @property
    def judged(self) -> tuple[int, ...]:
        """Positions of the queries that have judgements."""
        return tuple(position for position, found in enumerate(self.relevant) if found)


@cache
def load(name: str) -> Collection:
    """Return one collection.

    Parameters
    ----------
    name : {"cranfield", "med", "cisi"}
        1,400 documents and 225 queries; 1,033 and 30; 1,460 and 112, of which 76 are judged.
    """
    if name not in _FILES:
        raise BadParameter(f"name must be one of {', '.join(map(repr, NAMES))}, got {name!r}.")
    documents, queries, judgements = (_archive()[path] for path in _FILES[name])
    records = _records(documents)
    asked = _records(queries)
    return Collection(
        name=name,
        texts=tuple(_text(record) for record in records),
        titles=tuple(record.get("T", "") for record in records),
        queries=tuple(_text(record) for record in asked),
        relevant=_relevant(judgements, _DOCUMENT_COLUMN[name], len(asked)),
    )


@cache
def _archive() -> dict[str, str]:
    wanted = {path for paths in _FILES.values() for path in paths}
    with tarfile.open(locate("smart"), "r:xz") as archive:
        found = {member.name.removeprefix("./"): archive.extractfile(member) for member in archive if member.isfile()}
        return {name: content.read().decode("latin-1") for name, content in found.items() if content and name in wanted}


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
        else:
            records[-1].setdefault(section, []).append(line.rstrip())
    return [{key: "\n".join(lines).strip() for key, lines in record.items()} for record in records]


def _text(record: dict[str, str]) -> str:
    """Title and abstract; Cranfield's abstracts begin with the title already."""
    title, body = record.get("T", ""), record.get("W", "")
    if " ".join(body.split()).startswith(" ".join(title.split())):
        return body
    return f"{title}\n\n{body}".strip()


def _relevant(judgements: str, document_column: int, n_queries: int) -> tuple[frozenset[int], ...]:
    """Judgements count queries by position from 1, also where the queries' own numbers leave gaps (Cranfield)."""
    found: list[set[int]] = [set() for _ in range(n_queries)]
    for line in judgements.splitlines():
        fields = line.split()
        if fields and fields[2] != _UNEXPLAINED:
            found[int(fields[0]) - 1].add(int(fields[document_column]) - 1)
    return tuple(frozenset(positions) for positions in found)
