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
def gather_neighbors(
    documents: IntArray,
    starts: Integers,
    lenders: Integers,
    weights: Floats,
    ends: Integers,
    others: Integers,
    shares: FloatArray,
) -> None:
    """Write the neighbours of some documents and their weights one behind the other, and where those of each document end.

    Lists are far apart in memory: to copy them, and do nothing else, has many of them under way at once.
    """
    n_pairs = 0
    for at in range(documents.shape[0]):
        first = starts[documents[at]]
        length = starts[documents[at] + 1] - first
        for k in range(length):
            others[n_pairs + k] = lenders[first + k]
        for k in range(length):
            shares[n_pairs + k] = weights[first + k]
        n_pairs += length
        ends[at] = n_pairs


@compiled
def give_slots(
    documents: IntArray, others: Integers, totals: FloatArray, slots: Integers, of_pairs: Integers, numbered: Integers
) -> int:
    """Number some documents from one on, and behind them those of their neighbours that have any term; return how many they are.

    ``slots`` gets the number of each, ``of_pairs`` that of each neighbour, 0 for one without a term, and ``numbered`` the documents
    in order of their numbers. Nothing branches on what is looked up, for the same reason.
    """
    n_slots = documents.shape[0]
    for at in range(documents.shape[0]):
        slots[documents[at]] = at + 1
        numbered[at] = documents[at]
    for pair in range(others.shape[0]):
        other = others[pair]
        slot = slots[other]
        is_new = int(slot == 0) * int(totals[other] != 0.0)
        numbered[n_slots] = other
        n_slots += is_new
        slot += is_new * n_slots
        slots[other] = slot
        of_pairs[pair] = slot
    return int(n_slots)


@compiled
def fill_slots(documents: Integers, weights: FloatArray, term: int, slots: Integers, values: FloatArray) -> None:
    """Write the weights of one term in the documents that have a slot."""
    for entry in range(documents.shape[0]):
        slot = slots[documents[entry]]
        if slot > 0:
            values[slot, term] = weights[entry]


@compiled
def take_slots(numbered: Integers, n_slots: int, slots: Integers) -> None:
    """Take the numbers of documents away."""
    for at in range(n_slots):
        slots[numbered[at]] = 0


@compiled
def keep_lending(ends: Integers, of_pairs: Integers, shares: FloatArray) -> None:
    """Keep of the neighbours of each document those that have a number, moved to the front."""
    n_kept, start = 0, 0
    for at in range(ends.shape[0]):
        for pair in range(start, ends[at]):
            slot = of_pairs[pair]
            of_pairs[n_kept], shares[n_kept] = slot, shares[pair]
            n_kept += int(slot > 0)
        start, ends[at] = ends[at], n_kept


@compiled
def borrow(
    ends: Integers,
    slots: Integers,
    shares: FloatArray,
    values: FloatArray,
    is_lent: BoolArray,
    times: FloatArray,
    found: FloatArray,
) -> None:
    """Write what each term is worth in some documents, or in the mean of their neighbours where that is more."""
    n_terms, start = values.shape[1], 0
    for at in range(ends.shape[0]):
        for pair in range(start, ends[at]):
            slot, share = slots[pair], shares[pair]
            for term in range(n_terms):
                found[at, term] += share * values[slot, term]
        start = ends[at]
        for term in range(n_terms):
            if not is_lent[term] or values[at + 1, term] > found[at, term]:
                found[at, term] = values[at + 1, term]
            found[at, term] *= times[term]


@compiled
def mean_values(ends: Integers, slots: Integers, shares: FloatArray, values: FloatArray, found: FloatArray) -> None:
    """Write the mean of the values of the neighbours of some documents, given the value of each number."""
    start = 0
    for at in range(ends.shape[0]):
        total = 0.0
        for pair in range(start, ends[at]):
            total += shares[pair] * values[slots[pair]]
        start, found[at] = ends[at], total


@compiled
def take_rows(every: Floats, rows: Integers, found: FloatArray) -> None:
    """Write some rows of an array as doubles."""
    for at in range(rows.shape[0]):
        for k in range(every.shape[1]):
            found[at, k] = every[rows[at], k]
