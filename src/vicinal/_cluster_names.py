"""The name of a cluster that nobody named: its first terms."""

from __future__ import annotations

from collections.abc import Sequence

NAMED_BY = 3


def named_by_terms(terms: Sequence[tuple[str, float]]) -> str:
    """The first terms of a cluster, or of a node of a tree, in place of a name."""
    return ", ".join(term for term, _ in terms[:NAMED_BY])
