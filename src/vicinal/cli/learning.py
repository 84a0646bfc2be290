"""Learning from an index, shown while it goes on, and what is told of it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from vicinal.cli.errors import line

if TYPE_CHECKING:
    from vicinal.cli.stages import Stages
    from vicinal.index import Index
    from vicinal.index.answers import Fitted


def learn(index: Index, stages: Stages, recipe: dict[str, Any]) -> Fitted:
    """Learn with the choices that were made; others are as in the last fit. What it warns of goes to standard error."""
    with stages.steps() as progress:
        fitted = index.fit(progress=progress, **recipe)
    for note in fitted.notes:
        line(f"note: {note}")
    return fitted


def fitted_facts(fitted: Fitted) -> dict[str, Any]:
    """What learning did, as plain values."""
    return {**vars(fitted), "chosen": dict(fitted.chosen), "notes": list(fitted.notes)}


def fitted_lines(fitted: Fitted) -> Iterator[str]:
    """What learning did, for people."""
    sizes = f"{fitted.topics:,} topics, {fitted.words:,} words, {fitted.dimensions:,} dimensions"
    yield f"Learnt from {fitted.documents:,} documents: {sizes}."
    if fitted.change:
        yield fitted.change
    for name, why in fitted.chosen.items():
        yield f"{name}: {why}"
