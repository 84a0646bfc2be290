"""TDT2 as the papers used it: counts of 36,771 words in 9,394 news stories on 30 topics. No text, no vocabulary."""

from __future__ import annotations

from corpora.place import locate
from vicinal._typing import IntArray, Terms
from vicinal.datasets import load_tdt2


def load() -> tuple[Terms, IntArray]:
    """Return counts (csr_array of float64, 9,394 x 36,771) and the topic of each story, 0 to 29 from the largest down."""
    found = load_tdt2(locate("tdt2"))
    return found.counts, found.labels
