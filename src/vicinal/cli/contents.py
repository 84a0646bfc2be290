"""What an index holds, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from vicinal.index.answers import Info

#: A new fit is advised where the new documents are in more uncertainty by this ratio, and by this difference.
RATIO, DIFFERENCE = 1.25, 0.02


def contents(about: Info) -> dict[str, str]:
    """Names and values for two columns."""
    facts = {
        "index": about.path,
        "size": human_bytes(about.bytes),
        "documents": f"{about.documents:,}",
    }
    if about.generation:
        facts |= {
            "learnt from": f"{about.learnt:,}",
            "placed since": f"{about.placed:,}",
            "words": f"{about.words:,}",
            "dimensions": f"{about.dimensions:,}",
            "topics": f"{about.topics:,}",
            "fits": f"{about.generation:,}",
        }
    if about.wordless:
        facts["without words"] = f"{about.wordless:,}"
    return facts


def advice(about: Info) -> str:
    """A sentence on what was not learnt from yet; empty where there is nothing to say."""
    if not about.generation:
        return f"Nothing is learnt yet: vicinal fit {about.path}" if about.documents else "There are no documents yet."
    unplaced = f"{_documents(about.unplaced)} not placed yet. " if about.unplaced else ""
    if not about.placed or about.uncertainty_of_new is None:
        return unplaced.strip()
    said = (
        f"{unplaced}{_documents(about.placed)} placed since the last fit, with a mean uncertainty of {about.uncertainty_of_new:.2f}"
    )
    if about.uncertainty is None:
        return f"{said}; none is left of those that were learnt from. Learn anew: vicinal fit {about.path}"
    said += f" against {about.uncertainty:.2f} for those learnt from"
    if about.uncertainty_of_new > max(RATIO * about.uncertainty, about.uncertainty + DIFFERENCE):
        return f"{said}: they fit less well. Learn anew: vicinal fit {about.path}"
    return f"{said}: they fit as well."


def _documents(number: int) -> str:
    return "1 document was" if number == 1 else f"{number:,} documents were"


def human_bytes(number: int) -> str:
    """A size as people say it."""
    size, unit = float(number), "bytes"
    for larger in ("kB", "MB", "GB", "TB"):
        if size < 1000:
            break
        size, unit = size / 1000, larger
    return f"{size:.0f} {unit}" if unit == "bytes" else f"{size:.1f} {unit}"
