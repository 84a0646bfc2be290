"""`MadeBy`: what a projection tells of how it was found."""

from __future__ import annotations

from typing import TypedDict

from vicinal._typing import FloatArray


class MadeBy(TypedDict, total=False):
    """How a projection was found; each key is there where it applies.

    Attributes
    ----------
    route : str
        "regress", "pencil" and others.
    solver : str
        The solver that was used, as the function that found it names it.
    iterations : int
        Of an iterative solver.
    error : float
        The estimated relative error of the solution.
    alpha : float
        The penalty of the row lasso that has the number of terms asked for.
    alphas : float array (components,)
        The penalty of each component.
    objectives : dict of str to float
        The objective that each solver reached.
    schedule_objective : float
        The objective before terms were exchanged.
    rank : int
        Of the documents, as far as it is not rounding.

    See Also
    --------
    Projection : Its attribute ``made_by`` is one.

    Examples
    --------
    >>> from vicinal.projection import regress
    >>> found = regress([[1.0, 0.0], [0.0, 2.0], [1.0, 1.0]], [[1.0], [-1.0], [0.0]])
    >>> found.made_by["route"], found.made_by["solver"]
    ('regress', 'cholesky')
    """

    route: str
    solver: str
    iterations: int
    error: float
    alpha: float
    alphas: FloatArray
    objectives: dict[str, float]
    schedule_objective: float
    rank: int
