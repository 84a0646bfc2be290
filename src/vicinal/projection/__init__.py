"""Projection: smooth functions become a map from words."""

from vicinal.projection.penalty import Penalty, Ridge
from vicinal.projection.pencil import pencil
from vicinal.projection.projection import Explanation, Projection
from vicinal.projection.regress import regress

__all__ = ["Explanation", "Penalty", "Projection", "Ridge", "pencil", "regress"]
