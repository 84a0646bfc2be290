"""Projection: smooth functions become a map from words."""

from vicinal.projection.lasso import Path, path
from vicinal.projection.penalty import ElasticNet, Lasso, Penalty, Ridge, RowCount, RowLasso, RowLassoCount, WordCount
from vicinal.projection.pencil import pencil
from vicinal.projection.projection import Explanation, Projection
from vicinal.projection.rank import laplacian_scores
from vicinal.projection.regress import regress

__all__ = [
    "ElasticNet",
    "Explanation",
    "Lasso",
    "Path",
    "Penalty",
    "Projection",
    "Ridge",
    "RowCount",
    "RowLasso",
    "RowLassoCount",
    "WordCount",
    "laplacian_scores",
    "path",
    "pencil",
    "regress",
]
