"""Cells that a verdict alone would flatter: met by a wide printed deviation only, or too far above print to be the same thing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from papers.causes import Alternative, alternatives
from papers.compare import Cell, Comparison
from papers.readings import READINGS, Reading, mean_by, repeats

FAR = 5.0  # points above print from where "beaten" may mean "not reproduced"
WIDE = 2.0  # points below print that only a printed deviation lets pass
NEAR = 2.0  # points from print within which a reading reproduces it
FEWEST = 3  # tests that a reading is judged by

WIDE_MEANS = (
    f"Cells that are met although they are more than {WIDE:g} points below print, because the printed deviation is larger than "
    "that; the deviation is over tests, and that of the mean is a seventh of it (a quarter in AISTATS'12). Marked σ."
)
FAR_MEANS = (
    f"Cells that exceed print by more than {FAR:g} points: *beaten* may mean *not reproduced*. Marked ↑. Where a reading of the "
    f"paper that was tried comes within {NEAR:g} points of print, the nearest one stands beside; where none does, none is known."
)


def wide(cell: Cell) -> bool:
    """Whether it is met only because the printed deviation exceeds two points."""
    return cell.met and round(cell.short - WIDE, 2) > 0


def far(cell: Cell) -> bool:
    """Whether it exceeds print by over five points."""
    return cell.counts and round(cell.short + FAR, 2) < 0


def marks(cell: Cell) -> str:
    """What is put beside the verdict of a cell."""
    return ("σ" if wide(cell) else "") + ("↑" if far(cell) else "")


def reproducing(cell: Cell, comparison: Comparison) -> Alternative | None:
    """The reading that comes nearest to print and within two points of it, if one does."""
    other = [each for each in _tried(cell, comparison) if abs(cell.short - each.gain) <= NEAR]
    return min(other, key=lambda each: abs(cell.short - each.gain), default=None)


def _tried(cell: Cell, comparison: Comparison) -> Iterator[Alternative]:
    """Single choices changed, and the setting of a grid not chosen per test."""
    yield from (each for each in alternatives(cell, comparison) if each.tests >= min(FEWEST, cell.tests))
    for reading in READINGS:
        if reading == Reading(reading.name, choice=reading.choice) and reading.choice != "per test":
            mean, _ = mean_by(cell, comparison, reading)
            if mean != cell.mean:
                yield Alternative(reading.name, mean - cell.mean, cell.tests)


def lines(comparisons: Sequence[Comparison]) -> Iterator[str]:
    """Both lists, for the page."""
    yield from _list("Cells met by a wide printed deviation only", WIDE_MEANS, "printed deviation")
    for each in comparisons:
        yield from (f"{_place(cell)} | {cell.printed.std:g} |" for cell in each.cells if wide(cell))
    yield ""
    yield from _list("Cells far above print", FAR_MEANS, "what reproduces print")
    for each in comparisons:
        yield from (f"{_place(cell)} | {_said(cell, each)} |" for cell in each.cells if far(cell))
    yield ""


def _list(title: str, about: str, last: str) -> Iterator[str]:
    yield f"## {title}"
    yield ""
    yield about
    yield ""
    yield f"| paper | table | row | method | metric | ours | printed | {last} |"
    yield "| --- | --- | --- | --- | --- | ---: | ---: | --- |"


def _place(cell: Cell) -> str:
    table = cell.table
    return (
        f"| {table.paper} | {table.title_of_block} | {cell.row} | {cell.column.printed}{' ≡' * repeats(cell)} | {cell.metric} | "
        f"{cell.mean:.1f} | {cell.printed.mean:g}"
    )


def _said(cell: Cell, comparison: Comparison) -> str:
    found = reproducing(cell, comparison)
    return (
        ""
        if found is None
        else f"{found.about}: {cell.mean + found.gain:.1f} ({cell.mean:.1f} {found.gain:+.1f}) on {found.tests} tests"
    )
