"""What the file says now: the model, the rows and the clusters, loaded when they are first asked for and kept while they hold."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, final

import numpy as np
import scipy.sparse as sp

from vicinal._matrix import unit_rows
from vicinal._store import Documents, Settings, Store
from vicinal.errors import DamagedIndex
from vicinal.index.groups import Groups, load_groups
from vicinal.index.model import Model, load_model
from vicinal.index.rows import Rows, load_rows
from vicinal.index.whole import whole
from vicinal.uses._ranking import Ranking

if TYPE_CHECKING:
    from vicinal.index.opening import Part
    from vicinal.index.paths import Path


@final
@dataclass(frozen=True, eq=False)
class State:
    """A model with the documents that it has placed.

    Attributes
    ----------
    model : Model
    rows : Rows
    groups : Groups
        What is known of its clusters.
    ranking : Ranking
        The rows, ready to be searched.
    """

    model: Model
    rows: Rows
    groups: Groups
    ranking: Ranking

    @cached_property
    def directions(self) -> Any:
        """The words of documents as rows of length one."""
        return sp.csr_array(unit_rows(sp.csr_array(self.ranking.words)))

    @cached_property
    def opened(self) -> dict[tuple[Path, int | str], tuple[Part, ...]]:
        """The parts of the clusters that were opened so far, by where and in how many: they hold as long as this does."""
        return {}


@final
class Loaded:
    """The states of one file: a model is loaded anew after a fit, its rows after any change.

    Parameters
    ----------
    store : Store
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._model: Model | None = None
        self._state: tuple[int, State] | None = None

    def model(self) -> Model | None:
        """That of the last fit, or None before the first."""
        kept = Settings(self._store).get("model")
        with whole(self._store):
            if kept is None:
                self._model = None
            elif self._model is None or self._model.generation != kept["generation"]:
                self._model = load_model(self._store)
        return self._model

    def state(self) -> State | None:
        """Everything, or None before the first fit."""
        model, commits = self.model(), self._store.commits()
        if model is None:
            return None
        if self._state is None or self._state[0] != commits or self._state[1].model is not model:
            with whole(self._store):
                self._state = commits, _state(self._store, model)
        return self._state[1]


def _state(store: Store, model: Model) -> State:
    current = Documents(store).where([("generation", "=", model.generation)])
    rows = load_rows(store, current)
    ranking = Ranking(_weighted(model, rows), model.words.forms, rows.lenders, model.space, np.asarray(rows.places))
    groups = load_groups(store)
    if len(groups.numbers) != model.n_topics or rows.topics.max(initial=-1) >= model.n_topics:
        raise DamagedIndex(f"{store.path}: the clusters are not those of the topics. Fit the index anew.")
    return State(model, rows, groups, ranking)


def _weighted(model: Model, rows: Rows) -> Any:
    """What search adds up; of no documents, which all may be removed, nothing."""
    if not len(rows.numbers):
        return sp.csc_array(rows.counts.shape, dtype=np.float32)
    return sp.csc_array(model.words.bm25.transform(rows.counts).astype(np.float32))
