"""Numbers with their nouns, as messages have them."""

from __future__ import annotations


def counted(number: int, noun: str) -> str:
    """A number with its noun: 1 document, 2 documents."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
