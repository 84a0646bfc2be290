"""What a claim of a paper is, what it is judged by, and what comes out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal, final

from papers.compare import Comparison
from papers.plan import Results

Holds = Literal["true", "false", "conditional", "undecided", "not tested"]

NOTHING = "No results yet."


@final
@dataclass(frozen=True)
class Verdict:
    """Whether a claim holds, and the numbers that say so."""

    holds: Holds
    evidence: str


@final
@dataclass(frozen=True)
class Evidence:
    """All that was measured.

    Attributes
    ----------
    comparisons : mapping from (paper, table) to Comparison
        A table with one block per classifier has one entry per block: ``("cikm07", "Table 4, NC")``.
    results : Results
    """

    comparisons: Mapping[tuple[str, str], Comparison]
    results: Results


@final
@dataclass(frozen=True)
class Claim:
    """Something that a paper says and that can be put to the test.

    Attributes
    ----------
    paper : str
    number : int
        Among the claims of the paper, from 1.
    text : str
        In our own words.
    check : function from Evidence to Verdict
    """

    paper: str
    number: int
    text: str
    check: Callable[[Evidence], Verdict]


def proved(holds: bool, evidence: str) -> Verdict:
    """A theorem that numbers agree with, or do not."""
    return Verdict("true" if holds else "false", evidence)


def only_if(holds: bool, evidence: str) -> Verdict:
    """A statement that is true under a condition that its paper does not give, or breaks; false where not even that is so."""
    return Verdict("conditional" if holds else "false", evidence)


def counted(held: int, asked: int, evidence: str, enough: float = 1.0, *, against: bool = True) -> Verdict:
    """An ordering that was looked for in several places: true where it is in enough of them, conditional in most.

    Else it is false where certain places speak ``against`` it more than for it, and undecided where they do not: half of the places
    hold by chance.
    """
    if asked == 0:
        return Verdict("not tested", NOTHING)
    if 2 * held > asked:
        return Verdict("true" if held >= enough * asked else "conditional", evidence)
    return Verdict("false" if against else "undecided", evidence)
