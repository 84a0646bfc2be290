"""Linear maps from terms to embeddings, found by penalised regression on the functions of a graph or by an eigenproblem.

The names below are loaded when they are first used, so that what needs few of them stays fast.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from vicinal._lazy_names import loader

if TYPE_CHECKING:
    from vicinal.projection._explanation import Explanation
    from vicinal.projection._laplacian_score import laplacian_scores
    from vicinal.projection._made_by import MadeBy
    from vicinal.projection._model_selection.held_out import choose_alpha, choose_n_shared_terms, choose_n_terms
    from vicinal.projection._model_selection.n_components import choose_n_components
    from vicinal.projection._penalty import ElasticNet, Lasso, Penalty, Ridge, TermCount
    from vicinal.projection._pencil import pencil
    from vicinal.projection._projection import LinearMap, Projection
    from vicinal.projection._regress import regress
    from vicinal.projection._row_penalty import RowCount, RowLasso, RowLassoCount
    from vicinal.projection._solvers.lasso import LassoPath, lasso_path

_HOMES = {
    "_explanation": ("Explanation",),
    "_laplacian_score": ("laplacian_scores",),
    "_made_by": ("MadeBy",),
    "_model_selection.held_out": (
        "choose_alpha",
        "choose_n_shared_terms",
        "choose_n_terms",
    ),
    "_model_selection.n_components": ("choose_n_components",),
    "_penalty": (
        "ElasticNet",
        "Lasso",
        "Penalty",
        "Ridge",
        "TermCount",
    ),
    "_pencil": ("pencil",),
    "_projection": (
        "LinearMap",
        "Projection",
    ),
    "_regress": ("regress",),
    "_row_penalty": (
        "RowCount",
        "RowLasso",
        "RowLassoCount",
    ),
    "_solvers.lasso": (
        "LassoPath",
        "lasso_path",
    ),
}

__all__ = [
    "ElasticNet",
    "Explanation",
    "Lasso",
    "LassoPath",
    "LinearMap",
    "MadeBy",
    "Penalty",
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
    "lasso_path",
    "pencil",
    "regress",
]

__getattr__ = loader(__name__, _HOMES)


def __dir__() -> list[str]:
    return sorted(__all__)
