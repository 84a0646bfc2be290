"""Graph: numbers become neighbours."""

from vicinal.graph.agreement import AgreementGraph, agreement
from vicinal.graph.build import classes, complete, epsilon, knn, mix, with_labels
from vicinal.graph.copies import near_copies
from vicinal.graph.graph import Graph, SparseGraph, as_graph
from vicinal.graph.implicit import ClassGraph, CompleteGraph, MixedGraph
from vicinal.graph.neighbors import Neighbors, nearest
from vicinal.graph.repair import repair
from vicinal.rows import unit_rows

__all__ = [
    "AgreementGraph",
    "ClassGraph",
    "CompleteGraph",
    "Graph",
    "MixedGraph",
    "Neighbors",
    "SparseGraph",
    "agreement",
    "as_graph",
    "classes",
    "complete",
    "epsilon",
    "knn",
    "mix",
    "near_copies",
    "nearest",
    "repair",
    "unit_rows",
    "with_labels",
]
