"""How large is the page of a map? Made-up documents: titles and ids of a given length, points, clusters, eight terms each.

Measured without an index, from the data that a page is written from, so that it takes seconds.
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from bench.harness import Answer
from vicinal.index import Cluster
from vicinal.plot._map_data import ALL_TITLES, LEAST_TITLE, LONGEST_TITLE, N_TERMS, MapData, MapName
from vicinal.plot._map_page import facts_of, page_of

N_CLUSTERS, N_VOCABULARY, ID = 60, 60_000, 24
#: Documents, characters of a title, whether terms are in the page, and how many megabytes it may have.
SETTINGS = ((20_000, 60, True, 8), (20_000, 200, True, 8), (200_000, 60, False, 40), (200_000, 200, False, 40))
QUESTION = "How large is the page of a map?"
SETTING = (
    f"Made-up documents with ids of {ID} characters, {N_CLUSTERS} clusters, {N_TERMS} terms of each document where not titles only"
)


def made_up(n_documents: int, title: int, terms: bool) -> MapData:
    """The data of a page, with titles as long as a page of so many documents has them at most."""
    random = np.random.default_rng(0)
    letters = np.array(list("etaoinshrdlucmfwypvbgk "))
    longest = max(LEAST_TITLE, min(LONGEST_TITLE, ALL_TITLES // n_documents, title))
    titles = ["".join(row) for row in letters[random.integers(0, len(letters), (n_documents, longest))]]
    vocabulary = [f"term{i:05d}" for i in range(N_VOCABULARY)] if terms else []
    chosen = random.zipf(1.3, (n_documents, N_TERMS)) % N_VOCABULARY
    cluster = random.integers(0, N_CLUSTERS, n_documents)
    clusters = [Cluster(i, str(i), f"first, second, third {i}", 1, 0.1, 0.1, (("term", 1.0),), ()) for i in range(N_CLUSTERS)]
    names = [[MapName(f"first, second, third {i}", 1, float(i), float(i), i) for i in range(N_CLUSTERS)]]
    rows = chosen.tolist() if terms else [[] for _ in range(n_documents)]
    ids = [f"folder/document-{i:08d}" for i in range(n_documents)]
    points = random.standard_normal((n_documents, 2))
    return MapData(
        ids, titles, points, clusters, cluster, random.standard_normal((N_CLUSTERS, 2)), names, None, vocabulary, rows, 0
    )


def measure(n_documents: int, title: int, terms: bool, most: int) -> dict[str, Any]:
    """The row of one setting."""
    data = made_up(n_documents, title, terms)
    began = time.process_time()
    page = page_of(facts_of(data, "made up"))
    seconds = time.process_time() - began
    return {
        "documents": f"{n_documents:,}",
        "characters of a title": title,
        "shown of them": len(data.titles[0]),
        "terms": "yes" if terms else "titles only",
        "MB": round(len(page.encode()) / 1e6, 1),
        "asked for at most": most,
        "CPU seconds": round(seconds, 1),
    }


def main() -> None:
    """Measure all settings."""
    rows = []
    for setting in SETTINGS:
        rows.append(measure(*setting))
        print(rows[-1], flush=True)
    Answer(QUESTION, SETTING, rows).save("page_size")
