"""A small corpus on three subjects that share some words, so that its graph is one piece."""

from __future__ import annotations

import random

import pytest

import vicinal
from vicinal.corpus.document import Document

SUBJECTS = {
    "cars": "car engine wheel road driver brake motor speed fuel garage",
    "garden": "rose tulip garden flower soil spring water leaf root bloom",
    "kitchen": "bread oven flour salt butter recipe bake dough sugar cook",
}
SHARED = ["people", "time", "day", "house", "work", "good"]


def written(subject, number):
    chance = random.Random(f"{subject} {number}")
    words = SUBJECTS[subject].split()
    return " ".join([*chance.choices(words, k=12), *chance.choices(SHARED, k=4)])


def document(subject, number):
    facts = {"subject": subject, "year": 1990 + number}
    return Document(f"{subject}-{number}", written(subject, number), f"{subject} no {number}", metadata=facts)


@pytest.fixture(scope="session", name="documents")
def three_subjects():
    return [document(subject, number) for number in range(20) for subject in SUBJECTS]


@pytest.fixture(scope="session", name="file")
def fitted_file(tmp_path_factory, documents):
    path = tmp_path_factory.mktemp("index") / "three.vic"
    with vicinal.open(path, create=True) as index:
        index.add(documents)
        index.fit(topics=3, dimensions=5, neighbors=5)
    return path


@pytest.fixture(name="index")
def opened(file, tmp_path):
    """A copy of its own for each test."""
    copy = tmp_path / "copy.vic"
    copy.write_bytes(file.read_bytes())
    with vicinal.open(copy) as index:
        yield index
