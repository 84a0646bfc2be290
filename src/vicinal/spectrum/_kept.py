"""A spectrum as a stage of a fit: kept in a folder when it is found, and read by a rerun."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from vicinal.engines._stages import Arrays, Stages, digest
from vicinal.graph import Graph, SparseGraph
from vicinal.spectrum._spectrum import Spectrum


def kept_spectrum(stages: Stages, graph: Graph, depends_on: tuple[object, ...], solve: Callable[[], Spectrum]) -> Spectrum:
    """What ``solve`` returns for a graph, or has returned before for the same graph; only stored graphs are recognised."""
    if stages.folder is None or not isinstance(graph, SparseGraph):
        return solve()
    W = graph.weights

    def compute() -> Arrays:
        found = solve()
        return {
            "values": found.values,
            "vectors": found.vectors,
            "residuals": found.residuals,
            "connected_components": found.connected_components,
            "solver": np.array(found.solver),
        }

    kept = stages.once("spectrum", (digest(W.indptr, W.indices, W.data), *depends_on), compute)
    return Spectrum(kept["values"], kept["vectors"], kept["residuals"], kept["connected_components"], str(kept["solver"]))
