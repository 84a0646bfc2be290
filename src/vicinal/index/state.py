"""What the file says now: the model, the rows and the clusters, loaded when they are first asked for and kept while they hold."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import Any, final

import numpy as np
import scipy.sparse as sp

from vicinal.errors import BadData, BadParameter, DamagedIndex
from vicinal.index.groups import Groups, load_groups
from vicinal.index.model import Model, load_model
from vicinal.index.rows import Rows, load_rows
from vicinal.rows import unit_rows
from vicinal.store import Documents, Settings, Store
from vicinal.uses.ranking import Ranking


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

    def mean_doubt(self, learnt: bool) -> float | None:
        """Of documents learnt from, or of those placed since; None where there are none."""
        doubt = self.rows.doubt[: self.rows.n_learnt] if learnt else self.rows.doubt[self.rows.n_learnt :]
        return float(doubt.mean()) if len(doubt) else None


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
        if kept is None:
            self._model = None
        elif self._model is None or self._model.generation != kept["generation"]:
            with _whole(self._store):
                self._model = load_model(self._store)
        return self._model

    def state(self) -> State | None:
        """Everything, or None before the first fit."""
        model, commits = self.model(), self._store.commits()
        if model is None:
            return None
        if self._state is None or self._state[0] != commits or self._state[1].model is not model:
            with _whole(self._store):
                self._state = commits, _state(self._store, model)
        return self._state[1]


@contextmanager
def _whole(store: Store) -> Iterator[None]:
    """Turn what is missing or does not fit together into damage: the file may be sound and what was learnt in it not."""
    try:
        yield
    except (BadParameter, BadData, LookupError, TypeError, ValueError) as error:
        if isinstance(error, DamagedIndex):
            raise
        raise DamagedIndex(f"{store.path}: what was learnt is not whole ({error}). Fit the index anew.") from error


def _state(store: Store, model: Model) -> State:
    current = Documents(store).where([("generation", "=", model.generation)])
    rows = load_rows(store, current)
    words = sp.csc_array(model.words.bm25.transform(rows.counts).astype(np.float32))
    ranking = Ranking(words, model.words.forms, rows.lenders, model.space, np.asarray(rows.places))
    return State(model, rows, load_groups(store), ranking)
