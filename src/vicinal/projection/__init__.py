"""Projection: smooth functions become a map from words."""

from vicinal.projection._choice.held_out import choose_alpha, choose_n_shared_terms, choose_n_terms
from vicinal.projection._choice.n_components import choose_n_components
from vicinal.projection._laplacian_score import laplacian_scores
from vicinal.projection._penalty import ElasticNet, Lasso, Penalty, Ridge, RowCount, RowLasso, RowLassoCount, TermCount
from vicinal.projection._pencil import pencil
from vicinal.projection._products import Products
from vicinal.projection._projection import Explanation, Projection
from vicinal.projection._regress import regress
from vicinal.projection._solvers.lasso import Path, path

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
    "TermCount",
    "choose_alpha",
    "choose_n_components",
    "choose_n_shared_terms",
    "choose_n_terms",
    "laplacian_scores",
    "path",
    "pencil",
    "regress",
]
