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
def fill_slots(documents: Integers, weights: FloatArray, term: int, slots: Integers, n_slots: int, values: FloatArray) -> int:
    """Write the weights of one term, with a slot for each document that has none yet; return how many have one."""
    for entry in range(documents.shape[0]):
        slot = slots[documents[entry]]
        if slot == 0:
            n_slots += 1
            slot = n_slots
            slots[documents[entry]] = slot
        values[slot, term] = weights[entry]
    return n_slots


@compiled
def take_slots(documents: Integers, slots: Integers) -> None:
    """Take the slots of some documents away."""
    for entry in range(documents.shape[0]):
        slots[documents[entry]] = 0


@compiled
def borrow(
    documents: IntArray,
    starts: Integers,
    lenders: Integers,
    weights: Floats,
    slots: Integers,
    values: FloatArray,
    is_lent: BoolArray,
    times: FloatArray,
    found: FloatArray,
) -> None:
    """Write what each term is worth in some documents, or in the mean of their neighbours where that is more."""
    n_terms = values.shape[1]
    for at in range(documents.shape[0]):
        document = documents[at]
        for term in range(n_terms):
            found[at, term] = 0.0
        for entry in range(starts[document], starts[document + 1]):
            slot, weight = slots[lenders[entry]], float(weights[entry])
            for term in range(n_terms):  # of zeros in slot 0: to ask first takes longer
                found[at, term] += weight * values[slot, term]
        own = slots[document]
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
