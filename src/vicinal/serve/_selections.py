"""Selections: documents that are named by ids or rows, or that a query, a condition, a cluster or a label chooses."""

from __future__ import annotations

from typing import Annotated, final

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, model_validator

from vicinal._typing import IntArray
from vicinal.index._clusters.subclusters import rows_of
from vicinal.index._search.requirements import passing
from vicinal.serve import _limits
from vicinal.serve._answers.found_rows import chosen_rows
from vicinal.serve._problems import Problem
from vicinal.serve._state import State, check_state

#: The text of a query or condition, and a name of something.
Text = Annotated[str, Field(max_length=_limits.QUERY)]
Name = Annotated[str, Field(max_length=_limits.QUERY)]


@final
class Selection(BaseModel):
    """Documents, chosen in exactly one way."""

    model_config = ConfigDict(extra="forbid")

    ids: list[Name] | None = Field(None, max_length=_limits.NAMED, description="Ids of documents.")
    rows: list[Annotated[int, Field(ge=0, lt=1 << 31)]] | None = Field(
        None, max_length=10 * _limits.NAMED, description="Rows of documents, of the state that is named beside them."
    )
    state: str | None = Field(None, max_length=100, description="The ETag of the state that the rows are of.")
    query: Text | None = Field(
        None, description="A query: what it finds by its words, best first; all that it finds where no document has them."
    )
    where: Text | None = Field(None, description="A condition, beside a query or by itself.")
    limit: int = Field(_limits.SELECTION, ge=1, le=_limits.SELECTION, description="Documents of a query, the best first.")
    cluster: Name | None = Field(None, description="Number of a cluster, path of a part, or id of a node of the tree.")
    label: Name | None = Field(None, description="Documents with this label.")

    @model_validator(mode="after")
    def _chosen_once(self) -> Selection:
        ways = [self.ids, self.rows, self.query, self.cluster, self.label]
        n_ways = sum(way is not None for way in ways)
        if n_ways + (self.where is not None and self.query is None) != 1:
            raise ValueError(
                "a selection has exactly one of ids, rows, query, where, cluster and label; where may stand beside query"
            )
        return self

    def of(self, state: State) -> IntArray:
        """The rows of the documents: those of a query best first, of a list as given, else rising; each once."""
        if self.ids is not None:
            return _once(state.rows_of_ids(self.ids))
        if self.rows is not None:
            return _once(_checked(state, self.rows, self.state))
        if self.query is not None:
            return chosen_rows(state, self.query, self.where or "", self.limit)
        if self.cluster is not None:
            return rows_of_cluster(state, self.cluster)
        if self.label is not None:
            return np.array([row for row, each in state.labels.items() if each.label == self.label], dtype=np.int64)
        return rows_where(state, self.where or "")


def _once(rows: IntArray) -> IntArray:
    return np.array(list(dict.fromkeys(rows.tolist())), dtype=np.int64)


def _checked(state: State, rows: list[int], key: str | None) -> IntArray:
    check_state(state, key)
    found = np.array(rows, dtype=np.int64)
    if len(found) and found.max() >= len(state):
        raise Problem("bad-parameter", f"rows are below {len(state):,}, got {found.max()}. Load the points again.")
    return found


def rows_where(state: State, where: str) -> IntArray:
    """The rows of the documents that pass a condition; of all documents where it is empty."""
    found = passing(state.index_state, where) if where.strip() else None
    return np.arange(len(state)) if found is None else state.rows_of_numbers(found)


def rows_of_cluster(state: State, cluster: str) -> IntArray:
    """The rows of the documents of a cluster, of a part of one or of a node of the tree."""
    state.index_state.require_fitted("choose a cluster")
    return np.asarray(state.embedded[rows_of(state.index_state, cluster)])
