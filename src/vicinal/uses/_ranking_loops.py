"""Loops of the retrieval engine, compiled: a term is lent to the neighbours of its documents, and scores are made of evidence."""

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


@compiled
def list_borrowed(starts: Any, borrowers: Any, lent: Any, holders: Any, weights: Any, found: Any, rows: Any) -> int:
    """As `add_borrowed`, and list the documents that have the term or borrow it; return how many are listed.

    Parameters
    ----------
    rows : int array
        As long as there are entries and holders; changed in place. A document may be listed twice.
    """
    n_listed = 0
    for i in range(len(holders)):
        weight = weights[i]
        for entry in range(starts[holders[i]], starts[holders[i] + 1]):
            to = borrowers[entry]
            if found[to] == 0.0:
                rows[n_listed] = to
                n_listed += 1
            found[to] += lent[entry] * weight
    for i in range(len(holders)):
        if found[holders[i]] == 0.0:
            rows[n_listed] = holders[i]
            n_listed += 1
        found[holders[i]] = max(found[holders[i]], weights[i])
    return n_listed
