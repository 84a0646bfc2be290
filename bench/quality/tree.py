"""Does the tree hold coarser and finer classes? ``python -m bench.quality.tree [draw ...]`` prints a line of figures per draw.

20 Newsgroups and arXiv have classes of classes: comp.*, rec.*, cs.*, math.* and so on. A fit with as many clusters as fine classes
is cut at the number of coarse ones, and the other way round; a fit with that number from the start is what a cut is compared with.
"""

from __future__ import annotations

import json
import sys
import warnings

import numpy as np

from bench.quality.draws import Draw, parse
from bench.quality.material import choose, documents, prepare
from corpora import arxiv, newsgroups
from vicinal import Topics
from vicinal._consensus import linkage
from vicinal._typing import IntArray
from vicinal.metrics import normalized_mutual_info

TUNING = "ng:20:100:1 ng:20:200:9 ng:20:200:21 ng:20:300:22 ng:20:400:25 arxiv_abs:30:100:12 arxiv_abs:40:100:21 "
TUNING += "arxiv_abs:40:100:22 arxiv_abs:30:200:24 arxiv_titles:30:200:23"
HELD = "ng:20:200:109 ng:20:200:121 ng:20:300:122 arxiv_abs:30:100:112 arxiv_abs:40:100:121 arxiv_abs:40:300:104 "
HELD += "arxiv_titles:40:300:104 arxiv_titles:30:100:112"
POWERS = {"terms": 0.0, "terms and edges": linkage.EDGES, "edges": 20.0}  # the last is decided by edges alone
RELIGION = {"alt.atheism", "soc.religion.christian", "talk.religion.misc"}


def coarse_classes(draw: Draw) -> IntArray:
    """The class of classes of each class of a corpus."""
    if draw.source == "ng":
        names = ["religion" if name in RELIGION else name for name in newsgroups.load()[2]]
    else:
        names = sorted(set(arxiv.load(("category",))["category"]))
    return np.unique([name.split(".")[0] for name in names], return_inverse=True)[1]


def measure(name: str) -> dict[str, object]:
    """NMI of the cuts of one draw, by linkage, and of fits with the same number of clusters."""
    draw = parse(name, "tuning")
    material, all_classes = prepare(draw), documents(draw)[1]
    fine = all_classes[choose(draw, all_classes)]
    coarse = coarse_classes(draw)[fine]
    numbers = len(np.unique(fine)), len(np.unique(coarse))
    found: dict[str, object] = {"draw": name, "classes": numbers}
    for linked_by, power in POWERS.items():
        linkage.EDGES = power
        many, few = (Topics(number, n_jobs=1).fit(material.counts) for number in numbers)
        found[f"coarse by {linked_by}"] = normalized_mutual_info(coarse, many.cut(numbers[1]).labels)
        found[f"fine by {linked_by}"] = normalized_mutual_info(fine, few.cut(min(numbers[0], few.tree_.n_leaves)).labels)
    found["coarse, fitted"] = normalized_mutual_info(coarse, few.labels_)
    found["fine, fitted"] = normalized_mutual_info(fine, many.labels_)
    return {key: round(value, 4) if isinstance(value, float) else value for key, value in found.items()}


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    for each in sys.argv[1:] or (TUNING + " " + HELD).split():
        print(json.dumps(measure(each)), flush=True)
