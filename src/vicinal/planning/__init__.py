"""Planning: what an index of given documents will cost in time, memory and disk, by stage, before it is made."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vicinal._lazy_names import loader

if TYPE_CHECKING:
    from vicinal.planning._corpus_size import CorpusSize
    from vicinal.planning._machine_speed import MachineSpeed, measure_speed
    from vicinal.planning._planned import Plan, PlannedStage, plan, plan_of

_HOMES = {
    "_corpus_size": ("CorpusSize",),
    "_machine_speed": ("MachineSpeed", "measure_speed"),
    "_planned": ("Plan", "PlannedStage", "plan", "plan_of"),
}

__all__ = ["CorpusSize", "MachineSpeed", "Plan", "PlannedStage", "measure_speed", "plan", "plan_of"]

__getattr__ = loader(__name__, _HOMES)


def __dir__() -> list[str]:
    return sorted(__all__)
