from __future__ import annotations

import pytest

import vicinal
from tests.plot.hostile import PAYLOADS

WORDS = {
    "farm": "wheat corn harvest field grain tractor soil seed barley farmer crop rain",
    "sport": "goal match team player league coach stadium referee striker cup season win",
    "music": "violin concert orchestra piano melody composer opera choir sonata rhythm song stage",
}


def documents():
    for subject, words in WORDS.items():
        terms = words.split()
        for i in range(20):
            text = " ".join(terms[(i * step + step) % 12] for step in (1, 3, 5, 7, 2, 4, 8, 6))
            yield vicinal.Document(f"{subject}-{i}", text, title=f"About {subject} {i}")


@pytest.fixture(scope="session")
def fitted(tmp_path_factory):
    path = tmp_path_factory.mktemp("map") / "small.vic"
    with vicinal.open(path, create=True) as index:
        index.add(documents())
        index.fit(n_clusters=3)
    return path


@pytest.fixture(scope="session")
def hostile(tmp_path_factory):
    """An index whose titles, ids, texts and names of clusters try to be part of a page."""
    path = tmp_path_factory.mktemp("map") / "hostile.vic"
    with vicinal.open(path, create=True) as index:
        plain = list(documents())
        for i, payload in enumerate(PAYLOADS):
            index.add([vicinal.Document(f"{i} {payload[:150]}", f"{plain[i].text} {payload}", title=payload)])
        index.add(plain[len(PAYLOADS) :])
        index.fit(n_clusters=3)
        for cluster, payload in zip(index.clusters(), PAYLOADS, strict=False):
            index.name_cluster(cluster.number, payload)
    return path
