"""How does a fit grow with the copies of one document?

Three hundred short made texts on four subjects, and one other text so many times. CPU seconds of one thread.
Rows are kept as they come.
"""

from __future__ import annotations

import random
import time
import warnings
from typing import Any

import numpy as np

from bench.harness import Answer

SIZES = (12_500, 50_000, 200_000)
COPIED = """The grain market in Chicago rose on Monday after reports that exports of corn and wheat to several countries had
increased. Traders said that prices of soybeans and other commodities followed, while shipping rates remained steady."""
SUBJECTS = """ball game player team season coach league goal score win
court judge law ruling appeal verdict lawyer trial case jury
engine car wheel brake motor fuel road driver speed gear
virus doctor patient hospital drug disease nurse clinic vaccine fever"""


def texts(n_copies: int) -> list[str]:
    """One text so many times, and 300 others that share a few words with it."""
    draw, subjects = random.Random(0), [line.split() for line in SUBJECTS.splitlines()]
    others = [" ".join(draw.choices(subjects[i % 4], k=15) + draw.choices(COPIED.split(), k=4)) for i in range(300)]
    return [COPIED] * n_copies + others


def measure(name: str, n_copies: int) -> dict[str, Any]:
    """CPU seconds of one fit, without the counting of terms."""
    from vicinal import RLPI, Topics, Vectorizer

    X = Vectorizer(max_df=1.0).fit_transform(texts(n_copies))
    method = RLPI(n_jobs=1) if name == "RLPI" else Topics(n_jobs=1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        start = time.process_time()
        method.fit(X)
    return {"fit": name, "copies": n_copies, "CPU s": round(time.process_time() - start, 1)}


def exponents(rows: list[dict[str, Any]]) -> list[str]:
    """By which power each fit grows from its smallest to its largest size."""
    said = []
    for name in dict.fromkeys(row["fit"] for row in rows):
        by_size = sorted((row["copies"], row["CPU s"]) for row in rows if row["fit"] == name)
        (small, first), (large, last) = by_size[0], by_size[-1]
        if large > small:
            said.append(f"{name}: exponent {np.log(last / first) / np.log(large / small):.2f} from {small:,} to {large:,} copies")
    return said


def main() -> None:
    """Every size of each method."""
    rows: list[dict[str, Any]] = []
    for name in ("RLPI", "Topics"):
        for size in SIZES:
            rows.append(measure(name, size))
            print(rows[-1], flush=True)
            question = "How does a fit grow with copies of one document?"
            Answer(question, "one text so many times, and 300 others; one thread", rows, exponents(rows)).save("copies")
