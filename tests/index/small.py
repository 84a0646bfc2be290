"""A small index on three subjects, learnt and labelled: something in every table and every array."""

from __future__ import annotations

import random
from pathlib import Path

import vicinal
from vicinal.corpus import Document

SUBJECTS = {
    "cars": "car engine wheel road driver brake motor speed fuel garage",
    "garden": "rose tulip garden flower soil spring water leaf root bloom",
    "kitchen": "bread oven flour salt butter recipe bake dough sugar cook",
}
SHARED = ["people", "time", "day", "house", "work", "good"]


def document(subject, number):
    chance = random.Random(f"{subject} {number}")
    text = " ".join([*chance.choices(SUBJECTS[subject].split(), k=12), *chance.choices(SHARED, k=4)])
    return Document(f"{subject}-{number}", text, f"{subject} no {number}", metadata={"subject": subject, "year": 1990 + number})


def documents(numbers):
    """Three for each number, one of each subject."""
    return [document(subject, number) for number in numbers for subject in SUBJECTS]


def fitted(index):
    return index.fit(n_clusters=3, n_components=4, n_neighbors=4)


def made(path, n=8, added=2):
    """An index of 3 * n documents that were learnt from, labelled, and 3 * added that were added since."""
    with vicinal.open(path, create=True) as index:
        index.add(documents(range(n)))
        fitted(index)
        index.label(column="subject")
        if added:
            index.add(documents(range(n, n + added)))
    return Path(path)
