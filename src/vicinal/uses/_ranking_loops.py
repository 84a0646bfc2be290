"""The compiled loops of a ranking: terms added up over all documents, and what some documents borrow from their neighbours."""

from __future__ import annotations

from vicinal._compiled import compiled
from vicinal._typing import BoolArray, FloatArray, Floats, IntArray, Integers


@compiled
def add_weights(totals: FloatArray, documents: Integers, weights: FloatArray, times: float) -> None:
    """Add the weights of one term to the totals of the documents that have it."""
    for entry in range(documents.shape[0]):
        totals[documents[entry]] += times * weights[entry]


@compiled
def collect(documents: IntArray, starts: Integers, lenders: Integers, slots: Integers, found: IntArray) -> int:
    """Write documents and their neighbours, each once, and return how many they are; ``slots`` is zeros before and after."""
    n_found = 0
    for at in range(documents.shape[0]):
        document = documents[at]
        if slots[document] == 0:
            slots[document] = 1
            found[n_found] = document
            n_found += 1
        for entry in range(starts[document], starts[document + 1]):
            lender = lenders[entry]
            if slots[lender] == 0:
                slots[lender] = 1
                found[n_found] = lender
                n_found += 1
    for at in range(n_found):
        slots[found[at]] = 0
    return n_found


@compiled
def give_slots(
    documents: IntArray, starts: Integers, lenders: Integers, totals: FloatArray, slots: Integers, of_pairs: Integers
) -> int:
    """Number those of some documents and their neighbours that have any term, from one on; return how many they are.

    ``slots`` has a number for each document, 0 for one that was not looked at and -1 for one without a term. ``of_pairs`` gets that
    of each document, followed by those of its neighbours, and 0 for one without a term.
    """
    n_slots, pair = 0, 0
    for at in range(documents.shape[0]):
        document = documents[at]
        for entry in range(starts[document] - 1, starts[document + 1]):
            other = document if entry < starts[document] else lenders[entry]
            if slots[other] == 0:
                if totals[other] != 0.0:
                    n_slots += 1
                    slots[other] = n_slots
                else:
                    slots[other] = -1
            of_pairs[pair] = max(slots[other], 0)
            pair += 1
    return n_slots


@compiled
def fill_slots(documents: Integers, weights: FloatArray, term: int, slots: Integers, values: FloatArray) -> None:
    """Write the weights of one term in the documents that have a slot."""
    for entry in range(documents.shape[0]):
        slot = slots[documents[entry]]
        if slot > 0:
            values[slot, term] = weights[entry]


@compiled
def take_slots(documents: IntArray, starts: Integers, lenders: Integers, slots: Integers) -> None:
    """Take the slots of some documents and their neighbours away."""
    for at in range(documents.shape[0]):
        document = documents[at]
        slots[document] = 0
        for entry in range(starts[document], starts[document + 1]):
            slots[lenders[entry]] = 0


@compiled
def borrow(
    documents: IntArray,
    starts: Integers,
    weights: Floats,
    of_pairs: Integers,
    values: FloatArray,
    is_lent: BoolArray,
    times: FloatArray,
    found: FloatArray,
) -> None:
    """Write what each term is worth in some documents, or in the mean of their neighbours where that is more."""
    n_terms, pair = values.shape[1], 0
    for at in range(documents.shape[0]):
        document, own = documents[at], of_pairs[pair]
        pair += 1
        for term in range(n_terms):
            found[at, term] = 0.0
        for entry in range(starts[document], starts[document + 1]):
            slot, weight = of_pairs[pair], float(weights[entry])
            pair += 1
            if slot > 0:
                for term in range(n_terms):
                    found[at, term] += weight * values[slot, term]
        for term in range(n_terms):
            if not is_lent[term] or values[own, term] > found[at, term]:
                found[at, term] = values[own, term]
            found[at, term] *= times[term]


@compiled
def mean_values(
    documents: IntArray, starts: Integers, lenders: Integers, weights: Floats, values: FloatArray, found: FloatArray
) -> None:
    """Write the mean of the values of the neighbours of some documents."""
    for at in range(documents.shape[0]):
        document = documents[at]
        total = 0.0
        for entry in range(starts[document], starts[document + 1]):
            total += float(weights[entry]) * values[lenders[entry]]
        found[at] = total
