"""How long a question may be: the time to understand one, and to look up what it names, grows with its length."""

from __future__ import annotations

from vicinal.errors import BadQuery

LONGEST_QUESTION = 10_000


def refuse_long(text: str, what: str) -> None:
    """Raise BadQuery where a query or a condition has more characters than any person writes."""
    if len(text) > LONGEST_QUESTION:
        raise BadQuery(f"{what} has {len(text):,} characters where {LONGEST_QUESTION:,} are allowed. Use fewer words.")
