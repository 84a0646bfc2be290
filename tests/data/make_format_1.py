"""Makes format-1.vic, an index as the first format keeps it, and format-1.json, what it answers: run once, and kept for ever.

Run it from the root of the project: ``python -m tests.data.make_format_1``. Later formats are written by `tests.data.make_golden`.
"""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

import vicinal
from vicinal.corpus import Document

HERE = Path(__file__).parent
FILE, ANSWERS = HERE / "format-1.vic", HERE / "format-1.json"
QUESTIONS = ("a boat on the river", "flour and butter", "strings and a bow", "day")
TEXTS = {
    "river": (
        "The boat left the harbour at dawn and went down the river with the tide.",
        "A river boat needs a flat keel, since the water over the sand is low.",
        "We tied the boat to the harbour wall and waited for the tide to turn.",
        "At high tide the water of the river reaches the old wall of the harbour.",
    ),
    "oven": (
        "Knead flour, water and salt, and let the dough rest for a day before the oven.",
        "Butter and flour make a crust; a hot oven makes it brown.",
        "Bread dough that rests for a day needs less salt and a hotter oven.",
        "Rub the butter into the flour with cold hands, then add salt and milk to the dough.",
    ),
    "strings": (
        "The violin has four strings, and the bow draws a long tone from each.",
        "A cello is tuned an octave below the viola, with thicker strings and a heavier bow.",
        "She played the slow tone again, with the bow near the bridge of the violin.",
        "New strings of a violin need a day to hold their tone — café musicians know it.",
    ),
}


def documents():
    return [
        Document(
            f"{subject}/{number}",
            text,
            title=f"{subject.title()} {number}",
            label=subject if number == 3 else "",
            source=f"notes/{subject}-{number}.txt",
            metadata={"subject": subject, "year": 2001 + number, "short": len(text) < 70, "note": None},
        )
        for number in range(4)
        for subject, texts in TEXTS.items()
        for text in (texts[number],)
    ]


def answers(index):
    """What an index says, as plain values."""
    return {
        "info": {name: value for name, value in asdict(index.info()).items() if name not in ("path", "bytes")},
        "clusters": [
            [each.number, each.size, each.uncertainty, [list(word) for word in each.terms], [list(id) for id in each.exemplars]]
            for each in index.clusters()
        ],
        "search": {question: [[hit.id, hit.score, hit.cluster] for hit in index.search(question)] for question in QUESTIONS},
        "near": [[hit.id, hit.score] for hit in index.near("oven/2")],
        "classes": [[each.id, each.label, each.probability] for each in index.classify(ids=["river/1", "oven/1", "strings/1"])],
    }


def make():
    FILE.unlink(missing_ok=True)
    with vicinal.open(FILE, create=True) as index:
        index.add(documents()[:-1])
        index.fit(n_clusters=3, n_components=4, n_neighbors=3, stem="none")
        index.label({"river/0": "water", "oven/0": "kitchen", "strings/0": "music", "river/3": "water"})
        index.add(documents()[-1:])
        ANSWERS.write_text(json.dumps(answers(index), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    make()
