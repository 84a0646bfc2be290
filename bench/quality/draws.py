"""Every corpus that quality is judged on, as data: what is drawn from where, and whether settings were chosen with it in view.

A draw is written ``source``, or ``source:classes:size:seed``, or ``source:classes:size:seed:z``. Size 0 takes the classes whole;
with ``z`` the first class has ``size`` documents, the second half as many, the third a third, and none fewer than 20.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

SOURCES = {
    "tdt2": "TDT2",
    "reuters": "Reuters",
    "ng": "20 Newsgroups",
    "arxiv_abs": "arXiv abstracts",
    "arxiv_titles": "arXiv titles",
    "smart": "Cranfield, MED and CISI",
}
ABOUT = {  # documents, classes: for estimates of time only
    "tdt2": (9_394, 30),
    "reuters": (8_067, 30),
    "ng": (18_846, 20),
    "arxiv_abs": (200_000, 89),
    "arxiv_titles": (200_000, 89),
    "smart": (3_893, 3),
}
FEWEST = 20  # documents of the smallest classes of unequal size

TUNING = """
    tdt2  tdt2:15:0:1  tdt2:10:100:0  tdt2:20:0:3  tdt2:8:0:5
    reuters  reuters:10:0:0  reuters:15:60:5  reuters:20:0:2
    ng  ng:10:300:0  ng:5:500:7  ng:15:400:8  ng:20:200:9  ng:12:800:3:z
    arxiv_abs:20:1000:0  arxiv_abs:20:1000:1  arxiv_abs:10:200:2  arxiv_abs:20:1500:3:z  arxiv_abs:15:400:11  arxiv_abs:30:100:12
    arxiv_titles:20:1000:0  arxiv_titles:20:1000:1  arxiv_titles:20:1500:3:z  arxiv_titles:8:500:2  arxiv_titles:15:400:11
    arxiv_titles:10:1000:13
"""
HELD = """
    tdt2:15:0:101  tdt2:10:100:100  tdt2:20:0:103  tdt2:8:0:105
    reuters:10:0:100  reuters:15:60:105  reuters:20:0:102
    ng:10:300:100  ng:5:500:107  ng:15:400:108  ng:20:200:109  ng:12:800:103:z
    arxiv_abs:20:1000:2  arxiv_abs:20:1000:3  arxiv_abs:20:1000:4
    arxiv_abs:10:200:102  arxiv_abs:15:400:111  arxiv_abs:30:100:112  arxiv_abs:40:300:104  arxiv_abs:20:1500:103:z
    arxiv_titles:20:1000:2  arxiv_titles:20:1000:3  arxiv_titles:20:1000:4
    arxiv_titles:10:200:102  arxiv_titles:15:400:111  arxiv_titles:30:100:112  arxiv_titles:40:300:104  arxiv_titles:20:1500:103:z
    arxiv_titles:8:500:102  arxiv_titles:10:1000:113
    smart
"""
ABLATED = """
    reuters  tdt2:15:0:1  ng:10:300:0  arxiv_abs:20:1500:3:z  arxiv_titles:20:1500:3:z
    ng:12:800:103:z  arxiv_abs:10:200:102  arxiv_titles:15:400:111
"""


@final
@dataclass(frozen=True)
class Draw:
    """Some classes of a corpus, whole or sampled.

    Attributes
    ----------
    name : str
        As written in this file.
    source : str
    part : {"tuning", "held"}
    n_classes : int
        0 for all classes and all documents.
    size : int
        Of each class, or of the largest; 0 for whole classes.
    seed : int
    unequal : bool
    """

    name: str
    source: str
    part: str
    n_classes: int = 0
    size: int = 0
    seed: int = 0
    unequal: bool = False

    @property
    def sizes(self) -> list[int] | None:
        """The most documents per class, in the order in which classes are drawn; None for classes taken whole."""
        if self.size == 0:
            return None
        return [max(FEWEST, self.size // (i + 1)) if self.unequal else self.size for i in range(self.n_classes)]

    @property
    def about(self) -> int:
        """Roughly how many documents."""
        documents, classes = ABOUT[self.source]
        whole = documents * (self.n_classes or classes) // classes
        return whole if self.sizes is None else min(whole, sum(self.sizes)) if self.source == "reuters" else sum(self.sizes)

    @property
    def title(self) -> str:
        """For people."""
        if self.n_classes == 0:
            return f"{SOURCES[self.source]}, whole"
        how = "whole" if self.size == 0 else f"from {self.size:,} down" if self.unequal else f"of {self.size:,}"
        return f"{SOURCES[self.source]}, {self.n_classes} classes {how}, seed {self.seed}"


def parse(name: str, part: str) -> Draw:
    """One draw from how it is written."""
    source, *numbers = name.split(":")
    if source not in SOURCES or len(numbers) not in (0, 3, 4) or numbers[3:] not in ([], ["z"]):
        raise ValueError(f"a draw is source[:classes:size:seed[:z]], got {name!r}. Sources: {', '.join(SOURCES)}.")
    if not numbers:
        return Draw(name, source, part)
    n_classes, size, seed = map(int, numbers[:3])
    return Draw(name, source, part, n_classes, size, seed, len(numbers) == 4)


def draws() -> list[Draw]:
    """All of them, those that settings were chosen with first."""
    return [parse(name, part) for part, names in (("tuning", TUNING), ("held", HELD)) for name in names.split()]


def ablated() -> frozenset[str]:
    """Names of the draws that parts of the method are left out on."""
    return frozenset(ABLATED.split())
