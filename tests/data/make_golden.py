"""Makes the golden files: for each format an index, kept for ever, and in questions-N.json what it answers to fifty questions.

``python -m tests.data.make_golden`` makes the index of the present format and its answers; with ``--answers 1`` it only asks an
older one again, for new questions. An index is never made anew: what it answers must stay, whatever reads it.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import vicinal
from tests.data.make_format_1 import TEXTS, documents
from vicinal._store.schema import FORMAT
from vicinal.corpus import read

HERE = Path(__file__).parent
#: Fifty questions: words, phrases, prefixes, operators, fields, conditions, words that no document has, and mistakes of typing.
QUERIES = (
    *("boat", "river", "harbour tide", "water", "keel", "sand", "wall", "dawn", "flour", "butter", "oven", "dough", "salt milk"),
    *("crust", "bread", "violin", "cello", "strings", "bow", "tone", "viola", "octave", "bridge", "café", "musicians", "day"),
    *("a boat on the river", "how is bread made", "which strings does a violin have", "high water at the old harbour wall"),
    *('"flat keel"', '"the bow"', '"hot oven"', "viol*", "harb*", "boat AND tide", "flour OR strings", "boat NOT tide"),
    *("boat -keel", "title:oven", "title:strings bow", "(boat OR violin) day", "year:2001 water", "zebra", "botter", "vioiln"),
    *("flour flour flour", "BOAT", "cafe", "the"),
)


def golden(format: int) -> Path:
    """The index of a format."""
    return HERE / f"format-{format}.vic"


def answers_of(format: int) -> Path:
    """What it answers."""
    return HERE / f"questions-{format}.json"


def ask(path: Path) -> dict[str, list[list[object]]]:
    """The first ten documents of each query, with score and cluster."""
    with vicinal.open(path) as index:
        return {query: [[hit.id, hit.score, hit.cluster] for hit in index.search(query, 10)] for query in QUERIES}


def make(folder: Path, file: Path) -> None:
    """An index with all that the present format keeps: documents of a program and of files, labels, and the name of a cluster."""
    folder.mkdir()
    for subject, texts in TEXTS.items():
        (folder / f"more-{subject}.txt").write_text(" ".join(reversed(texts)), encoding="utf-8")
    with vicinal.open(file, create=True) as index:
        index.add(documents()[:-1])
        index.add(read(folder))
        index.fit(n_clusters=3, n_components=4, n_neighbors=3, stem="none")
        index.label({"river/0": "water", "oven/0": "kitchen", "strings/0": "music"})
        index.name_cluster(index.clusters()[0].number, "a name")
        index.add(documents()[-1:])


def main() -> None:
    """Make what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--answers", type=int, metavar="FORMAT")
    format = parser.parse_args().answers
    if format is None:
        from tempfile import TemporaryDirectory

        format = FORMAT
        if golden(format).exists():
            parser.error(f"{golden(format).name} is there, and is never made anew")
        with TemporaryDirectory() as folder:
            make(Path(folder) / "notes", golden(format))
    lines = [f" {json.dumps(query, ensure_ascii=False)}: {json.dumps(found)}" for query, found in ask(golden(format)).items()]
    answers_of(format).write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
