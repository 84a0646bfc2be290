"""Neighbour graphs of documents: built from similarities or labels, combined, repaired, and searched."""

from vicinal.graph._agreement import AgreementGraph, agreement
from vicinal.graph._build import complete, epsilon, knn
from vicinal.graph._class_products import class_products
from vicinal.graph._combine import classes, mix, with_labels
from vicinal.graph._graph import Graph, SparseGraph, as_graph
from vicinal.graph._implicit import ClassGraph, CompleteGraph, MixedGraph
from vicinal.graph._joining import repair
from vicinal.graph._links import links
from vicinal.graph._near_duplicates import near_duplicates
from vicinal.graph._neighbors import Neighbors, nearest

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
    "class_products",
    "classes",
    "complete",
    "epsilon",
    "knn",
    "links",
    "mix",
    "near_duplicates",
    "nearest",
    "repair",
    "with_labels",
]
