"""Loops of the retrieval engine, compiled: one term lent to the neighbours of its documents."""

from __future__ import annotations

from typing import Any

from vicinal._compiled import compiled


@compiled
def add_borrowed(starts: Any, borrowers: Any, lent: Any, holders: Any, weights: Any, found: Any) -> None:
    """Add what documents lend of a term to the documents that they are neighbours of.

    Parameters
    ----------
    starts, borrowers, lent : arrays of `Lent`
    holders : int array (k,)
        The documents that have the term, rising.
    weights : float array (k,)
    found : float array (documents,)
        Changed in place.
    """
    for i in range(len(holders)):
        weight = weights[i]
        for entry in range(starts[holders[i]], starts[holders[i] + 1]):
            found[borrowers[entry]] += lent[entry] * weight
