"""Projection: smooth functions become a map from words."""

from vicinal.projection.choose import choose_alpha
from vicinal.projection.dimensions import choose_dimensions
from vicinal.projection.heldout import choose_alpha_held_out, choose_shared_words, choose_words
from vicinal.projection.lasso import Path, path
from vicinal.projection.penalty import ElasticNet, Lasso, Penalty, Ridge, RowCount, RowLasso, RowLassoCount, WordCount
from vicinal.projection.pencil import pencil
from vicinal.projection.products import Products
from vicinal.projection.projection import Explanation, Projection
from vicinal.projection.rank import laplacian_scores
from vicinal.projection.regress import regress

__all__ = [
    "ElasticNet",
    "Explanation",
    "Lasso",
    "Path",
    "Penalty",
    "Products",
    "Projection",
    "Ridge",
    "RowCount",
    "RowLasso",
    "RowLassoCount",
    "WordCount",
    "choose_alpha",
    "choose_alpha_held_out",
    "choose_dimensions",
    "choose_shared_words",
    "choose_words",
    "laplacian_scores",
    "path",
    "pencil",
    "regress",
]
