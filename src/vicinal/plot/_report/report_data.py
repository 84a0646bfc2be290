"""What a report tells of an index: numbers, map, tree, clusters, timelines, columns, duplicates and uncertain documents."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, final

from vicinal._progress import Progress, silent
from vicinal._tallies import ClusterTally
from vicinal.errors import NoTree
from vicinal.index import DuplicateGroup, Index, Info, Snapshot, Uncertain
from vicinal.index._index_state import IndexState
from vicinal.index._tables.columns import CHUNK, date_column, tally
from vicinal.plot._map_data import MapData, map_data
from vicinal.plot._tree_drawing import TreeDrawing, tree_drawing

if TYPE_CHECKING:
    from vicinal.corpus import Document

MOST_VALUES = 12  # of a column whose values are compared with clusters
MOST_COLUMNS = 2
AT_LEAST = 0.5  # share of the documents that have a value
N_UNCERTAIN = 12
N_GROUPS = 10
BEGINNING = 180  # characters of a text
STEPS = ("map", "timelines", "columns", "duplicates", "uncertain")


@final
@dataclass(frozen=True, eq=False)
class ReportData:
    """All that a report shows.

    Attributes
    ----------
    info : Info
    map : MapData
    tree : TreeDrawing or None
    beginnings : dict from str to str
        How the texts of typical and uncertain documents begin, by id.
    timeline : ClusterTally or None
        Clusters over time, where documents have dates.
    dates : str
        The column that they are in; empty for none.
    columns : list of (str, ClusterTally)
        Clusters by the values of columns with few values.
    duplicates : list of DuplicateGroup
        Groups of duplicates and near-duplicates, largest first.
    uncertain : list of Uncertain
    n_labelled : int
    """

    info: Info
    map: MapData
    tree: TreeDrawing | None
    beginnings: dict[str, str]
    timeline: ClusterTally | None
    dates: str
    columns: list[tuple[str, ClusterTally]]
    duplicates: list[DuplicateGroup]
    uncertain: list[Uncertain]
    n_labelled: int


def report_data(index: Index | Snapshot, dates: str | None, columns: list[str] | None, progress: Progress = silent) -> ReportData:
    """Collect what a report of an index shows.

    Parameters
    ----------
    index : Index or Snapshot
    dates : str or None
        The column of dates; None to look for one.
    columns : list of str or None
        Columns to compare clusters with; None for those with few values.
    progress : Progress, default=silent
    """
    with index._reading() as state:
        state.require_fitted("report on")
        progress("report", 0, len(STEPS))
        shown = map_data(index, with_terms=False)
        progress("report", 1, len(STEPS))
        when = date_column(state) if dates is None else dates
        timeline = None if when is None else tally(state, when, dated=True)
        progress("report", 2, len(STEPS))
        compared = _few_valued(state, when) if columns is None else columns
        tallies = [(name, tally(state, name, dated=False)) for name in compared]
        progress("report", 3, len(STEPS))
        duplicates = index.duplicates()
        progress("report", 4, len(STEPS))
        uncertain = index.uncertain(N_UNCERTAIN)
        ids = [id for each in shown.clusters for id, _ in each.exemplars[:4]] + [each.id for each in uncertain]
        beginnings = _beginnings(state, ids)
        tree = _tree(index, shown)
        progress("report", 5, len(STEPS))
        parts = (beginnings, timeline, when or "", tallies, duplicates, uncertain, len(state.labels()))
        return ReportData(index.info(), shown, tree, *parts)


def _tree(index: Index | Snapshot, shown: MapData) -> TreeDrawing | None:
    try:
        tree = index.tree()
    except NoTree:
        return None
    return tree_drawing(tree, {each.number: each.name for each in shown.clusters})


def _beginnings(state: IndexState, ids: list[str]) -> dict[str, str]:
    """How the text of each of some documents begins, without its title."""
    return {id: beginning_of(state.documents.get([id])[0]) for id in dict.fromkeys(ids)}


def beginning_of(document: Document) -> str:
    """The first words of a text, in one line, without the title where it begins with it."""
    text = " ".join(document.text[: 4 * BEGINNING].split())
    title = " ".join(document.title.split())
    text = text.removeprefix(title).lstrip(" .:-–—") if title else text
    return text if len(text) <= BEGINNING else text[:BEGINNING].rsplit(" ", 1)[0] + " …"


def _few_valued(state: IndexState, dates: str | None) -> list[str]:
    """The columns with two to twelve values that at least half of the documents have, labels first, fewest values first."""
    values: dict[str, Counter[Any]] = {}
    numbers = state.rows.numbers.tolist()
    for start in range(0, len(numbers), CHUNK):
        for stored in state.documents.at(numbers[start : start + CHUNK]):
            for name, value in stored.document.metadata.items():
                counter = values.setdefault(name, Counter())
                if len(counter) <= MOST_VALUES and value not in (None, ""):
                    counter[value] += 1
    labels = Counter(each.label for each in state.labels().values())
    found = {"label": labels, **{name: counter for name, counter in values.items() if name not in (dates, "label")}}
    fit = [
        name
        for name, counter in found.items()
        if 2 <= len(counter) <= MOST_VALUES and counter.total() >= AT_LEAST * max(len(numbers), 1)
    ]
    return sorted(fit, key=lambda name: (name != "label", len(found[name]), name))[:MOST_COLUMNS]
