"""Clusters as they are kept: lasting numbers, telling words, typical documents."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, final

import numpy as np

from vicinal._store import Documents, Settings, Store
from vicinal._typing import IntArray
from vicinal.index._results import Cluster
from vicinal.index.match import Match, match
from vicinal.index.model import Learnt

if TYPE_CHECKING:
    from vicinal.index.state import State

NAME = "clusters"
NAMED_BY = 3  # words
SHOWN = 10  # words and exemplars that are shown


@final
@dataclass(frozen=True)
class Groups:
    """What is known of the clusters of one fit, in the order of the topics.

    Attributes
    ----------
    numbers : tuple of int
        Lasting ones.
    words : tuple of tuples of (str, float)
    exemplars : tuple of tuples of int
        Numbers of documents.
    last : int
        The largest number ever given.
    """

    numbers: tuple[int, ...]
    words: tuple[tuple[tuple[str, float], ...], ...]
    exemplars: tuple[tuple[int, ...], ...]
    last: int


def numbered(before: State | None, numbers: IntArray, learnt: Learnt) -> Match:
    """Give the clusters of a new fit the numbers of the old ones, where they are the same."""
    topics, k = np.asarray(learnt.placed.topics, dtype=np.int64), learnt.model.n_topics
    if before is None:
        return match(np.full(len(numbers), -1), topics, k, -1)
    old = np.full(len(numbers), -1, dtype=np.int64)
    rows = np.array([before.rows.row(int(number)) for number in numbers], dtype=np.int64)
    there = rows >= 0
    old[there] = lasting(before)[rows[there]]
    return match(old, topics, k, before.groups.last)


def lasting(state: State) -> IntArray:
    """The lasting number of the cluster of each row, -1 for none."""
    names = np.array([*state.groups.numbers, -1], dtype=np.int64)
    return names[state.rows.topics]


def save_groups(store: Store, learnt: Learnt, found: Match, numbers: IntArray) -> None:
    """Keep what was told of each cluster."""
    Settings(store).set(
        NAME,
        {
            "last": int(max(found.numbers.max(initial=-1), *found.lost, -1)),
            "clusters": [
                {
                    "number": int(number),
                    "words": [[word, float(weight)] for word, weight in words],
                    "exemplars": [int(each) for each in numbers[exemplars]],
                }
                for number, (words, exemplars) in zip(found.numbers, learnt.told, strict=True)
            ],
        },
    )


def load_groups(store: Store) -> Groups:
    """As they were kept."""
    kept: dict[str, Any] = Settings(store).get(NAME)
    each = kept["clusters"]
    return Groups(
        tuple(int(one["number"]) for one in each),
        tuple(tuple((str(word), float(weight)) for word, weight in one["words"]) for one in each),
        tuple(tuple(map(int, one["exemplars"])) for one in each),
        int(kept["last"]),
    )


def described(state: State, store: Store) -> list[Cluster]:
    """The clusters, largest first."""
    topics = np.asarray(state.rows.topics)
    there = set(state.rows.numbers.tolist())
    found = []
    for topic, number in enumerate(state.groups.numbers):
        members = np.flatnonzero(topics == topic)
        typical = [each for each in state.groups.exemplars[topic] if each in there][:SHOWN]
        words = state.groups.words[topic][:SHOWN]
        found.append(
            Cluster(
                number,
                str(number),
                ", ".join(word for word, _ in words[:NAMED_BY]),
                len(members),
                len(members) / max(1, len(topics)),
                float(state.rows.uncertainty[members].mean()) if len(members) else 0.0,
                words,
                tuple((stored.document.id, stored.document.title) for stored in Documents(store).at(typical)),
            )
        )
    return sorted(found, key=lambda each: (-each.size, each.number))
