"""`plan` and `plan_of`: time, memory and disk of every stage of an index, predicted before it is made."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, final

from vicinal._validate import check_count
from vicinal.errors import BadParameter
from vicinal.index import Recipe
from vicinal.planning._corpus_size import CorpusSize, size_of_numbers, size_of_sample
from vicinal.planning._machine_speed import MachineSpeed, measure_speed
from vicinal.planning._sampled_source import SampledTexts, is_index, sample_documents, sample_index, sample_path
from vicinal.planning._stage_costs import BASE, STAGES, FitSettings, StageCost

if TYPE_CHECKING:
    from vicinal.corpus import Document
    from vicinal.index import Index


@final
@dataclass(frozen=True)
class PlannedStage:
    """What one stage is expected to cost.

    Attributes
    ----------
    name : str
        "add", "terms", "neighbours", "spectrum", "regression", "clusters", "embed", "layout" or "save".
    cpu_seconds : float
        CPU seconds of all threads.
    seconds : float
        Seconds on a machine that does nothing else.
    memory : int
        Bytes in memory at the most, of the whole process.
    disk : int
        Bytes that the stage adds to the index file.
    grows_with : str
        What its time grows with.

    Examples
    --------
    >>> from vicinal.planning import plan
    >>> [stage.name for stage in plan(50_000).stages][:3]
    ['add', 'terms', 'neighbours']
    """

    name: str
    cpu_seconds: float
    seconds: float
    memory: int
    disk: int
    grows_with: str


@final
@dataclass(frozen=True)
class Plan:
    """What an index is expected to cost, by stage and in all.

    Attributes
    ----------
    size : CorpusSize
        The numbers that the costs were computed from.
    machine : MachineSpeed
        How fast the machine is.
    stages : tuple of PlannedStage
        In the order in which they run.
    estimated : bool
        Whether the number of documents was estimated, from the part of the files that was read.

    Examples
    --------
    >>> from vicinal.planning import MachineSpeed, plan
    >>> planned = plan(1_000_000, nnz=53_000_000, machine=MachineSpeed(1.0, 1.0, 1.0, n_threads=2))
    >>> planned.longest.name, planned.memory > 1e9
    ('neighbours', True)
    """

    size: CorpusSize
    machine: MachineSpeed
    stages: tuple[PlannedStage, ...]
    estimated: bool = False

    @property
    def cpu_seconds(self) -> float:
        """CPU seconds of all stages."""
        return sum(stage.cpu_seconds for stage in self.stages)

    @property
    def seconds(self) -> float:
        """Seconds of all stages, on a machine that does nothing else."""
        return sum(stage.seconds for stage in self.stages)

    @property
    def memory(self) -> int:
        """Bytes in memory at the most."""
        return max(stage.memory for stage in self.stages)

    @property
    def disk(self) -> int:
        """Bytes of the index file."""
        return sum(stage.disk for stage in self.stages)

    @property
    def longest(self) -> PlannedStage:
        """The stage that takes most time."""
        return max(self.stages, key=lambda stage: stage.seconds)


def plan(
    n_documents: int,
    nnz: int | None = None,
    *,
    n_terms: int | None = None,
    n_characters: int | None = None,
    overlap: float | None = None,
    n_components: int = Recipe.n_components,
    n_neighbors: int = Recipe.n_neighbors,
    layout: bool = True,
    n_jobs: int | None = None,
    machine: MachineSpeed | None = None,
) -> Plan:
    """Predict time, memory and disk of an index, stage by stage, from the size of its corpus.

    Costs per document, entry and multiply-add were measured on abstracts (``python -m bench plan``), with the exact search for
    neighbours. How fast this machine is, is measured by jobs of half a second. Kernels are compiled once, at their first use on a
    machine, which is not counted.

    Parameters
    ----------
    n_documents : int
        How many documents.
    nnz : int, optional
        Entries of documents x terms: different terms of each document, added up. By default 53 per document.
    n_terms : int, optional
        Different terms of all documents; by default what abstracts have.
    n_characters : int, optional
        Characters of all texts; by default 18 per entry.
    overlap : float, optional
        The share of documents that the term of an entry is in, in the mean over entries, on which the time of the search for
        neighbours depends. Abstracts have 0.058, which is the default.
    n_components, n_neighbors : int
        As in `Index.fit`.
    layout : bool, default=True
        Whether the fit makes a layout.
    n_jobs : int, optional
        Threads; by default one per core.
    machine : MachineSpeed, optional
        The speed of another machine; by default this one is measured.

    Returns
    -------
    Plan
        The stages, and their sums.

    Raises
    ------
    BadParameter
        A number is out of range.

    See Also
    --------
    plan_of : The same for documents, paths or an index, whose size is estimated from a sample.

    Examples
    --------
    >>> import vicinal
    >>> small, large = vicinal.plan(20_000), vicinal.plan(200_000)
    >>> large.seconds > 2 * small.seconds
    True
    """
    size = size_of_numbers(n_documents, nnz, n_terms, n_characters, overlap)
    return _planned(size, _settings(n_components, n_neighbors, layout), measure_speed(n_jobs) if machine is None else machine)


def plan_of(
    documents: str | os.PathLike[str] | Index | Iterable[Document | str],
    *,
    n_components: int = Recipe.n_components,
    n_neighbors: int = Recipe.n_neighbors,
    layout: bool = True,
    n_jobs: int | None = None,
    machine: MachineSpeed | None = None,
    text: str | None = None,
    title: str | None = None,
    encoding: str | None = None,
    split: str | None = None,
    query: str | None = None,
) -> Plan:
    """Predict what an index of these documents costs: of files, of an index that is there, or of documents in memory.

    Of a large corpus up to 1,000 documents are looked at. Of files they are the first ones, and how many documents there are
    follows from the bytes that they took; of an index and of documents in memory they are spread over all.

    Parameters
    ----------
    documents : path, Index, or iterable of Document or str
        A file or folder as `vicinal.read` takes it, an index file, an open index, or documents.
    n_components, n_neighbors : int
        As in `Index.fit`.
    layout : bool, default=True
        Whether the fit makes a layout.
    n_jobs : int, optional
        Threads; by default one per core.
    machine : MachineSpeed, optional
        The speed of another machine; by default this one is measured.
    text, title, encoding, split, query : str, optional
        How files are read, as in `vicinal.read`; not for an index or for documents in memory.

    Returns
    -------
    Plan
        The stages, and their sums.

    Raises
    ------
    NoSuchSource
        Nothing has that path.
    EmptyCorpus
        There is no document.
    BadParameter
        A number is out of range, or it is said how to read what is not read from files.

    See Also
    --------
    plan : From numbers alone.

    Examples
    --------
    >>> from vicinal.planning import plan_of
    >>> planned = plan_of(["wheat and corn", "corn harvest", "a goal in the match", "the match was won"])
    >>> planned.size.n_documents, planned.estimated
    (4, False)
    """
    asked = {"text": text, "title": title, "encoding": encoding, "split": split, "query": query}
    sampled = _sampled(documents, {name: value for name, value in asked.items() if value is not None})
    size = size_of_sample(sampled.texts, sampled.n_documents)
    speed = measure_speed(n_jobs) if machine is None else machine
    return _planned(size, _settings(n_components, n_neighbors, layout), speed, sampled.estimated)


def _sampled(documents: object, how_to_read: dict[str, str]) -> SampledTexts:
    from vicinal.index import Index

    if isinstance(documents, str | os.PathLike) and not (how_to_read and is_index(documents)):
        return sample_path(documents, how_to_read)
    if how_to_read:
        named = ", ".join(f"{name}={value!r}" for name, value in how_to_read.items())
        got = type(documents).__name__
        raise BadParameter(f"{named} tells how files are read, got {got}, of which no file is read. Leave it out.")
    if isinstance(documents, Index):
        return sample_index(documents)
    return sample_documents(documents if isinstance(documents, Sequence) else list(documents))  # type: ignore[call-overload]


def _settings(n_components: int, n_neighbors: int, layout: bool) -> FitSettings:
    return FitSettings(check_count("n_components", n_components), check_count("n_neighbors", n_neighbors), bool(layout))


def _planned(size: CorpusSize, settings: FitSettings, machine: MachineSpeed, estimated: bool = False) -> Plan:
    wanted = [stage for stage in STAGES if settings.layout or stage.name != "layout"]
    return Plan(size, machine, tuple(_stage(each, size, settings, machine) for each in wanted), estimated)


def _stage(cost: StageCost, size: CorpusSize, settings: FitSettings, machine: MachineSpeed) -> PlannedStage:
    cpu_seconds = cost.seconds(size, settings) * float(getattr(machine, cost.limited_by))
    memory, disk = round(BASE + cost.memory(size, settings)), round(cost.disk(size, settings))
    return PlannedStage(cost.name, cpu_seconds, cost.elapsed(cpu_seconds, machine), memory, disk, cost.grows_with)
