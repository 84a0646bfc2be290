"""Best subset selection: at most so many terms in all, min ‖X A - Y‖² + ρ‖A‖² (P24).

Two heuristics for a problem that is hard to solve exactly, of which the better answer is kept: greedy selection followed by
exchanges of terms (:mod:`vicinal.projection._solvers.subset_exchange`), and the alternating direction method of multipliers (ADMM)
with a growing penalty of Gu, Danilevsky, Li and Han (AISTATS 2012, section 3.1). The steps of the latter freeze as the penalty
grows, so that it may end at any subset (P27).
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from vicinal._threads import single_threaded_libraries
from vicinal._typing import FloatArray
from vicinal._warn import warn
from vicinal.errors import BadParameter, FewerTerms, Unconverged
from vicinal.projection._made_by import MadeBy
from vicinal.projection._products import Products
from vicinal.projection._row_penalty import RowCount
from vicinal.projection._solvers.cgls import Solution
from vicinal.projection._solvers.subset_exchange import Fit, Fitting

SUBSET_SOLVERS = ("auto", "adm", "proximal")
MU, RHO = 1e-4, 1.5  # the penalty at first, and by what it grows
SETTLED = 1e-6  # change of the weights, relative to the largest, below which nothing moves any more
POWERS = 100  # products with XᵀX that find its largest eigenvalue


def best_subset(
    products: Products, Y: FloatArray, penalty: RowCount, *, solver: str, tol: float, max_iter: int
) -> tuple[Solution, MadeBy]:
    """Select terms, then solve for their weights exactly; with "auto" by both solvers, of which the better is kept."""
    check_refit(penalty.refit, solver)
    fitting = Fitting(products, Y, penalty.ridge)
    ways = {"adm": _by_alternating_directions, "proximal": _by_exchange}
    chosen = tuple(ways) if solver == "auto" else (solver,)
    with single_threaded_libraries():
        answers = {name: ways[name](fitting, penalty, tol, max_iter) for name in chosen}
    objectives = {name: answer[0].objective for name, answer in answers.items()}
    best = min(answers, key=lambda name: fitting.rank(answers[name][0]))
    fit, made_by = answers[best]
    A = np.zeros((products.shape[1], Y.shape[1]))
    A[fit.terms] = fit.weights
    _say(penalty, fit, made_by, best)
    return Solution(A, made_by["iterations"], made_by["error"]), {"solver": best, "objectives": objectives, **made_by}


def check_refit(refit: bool, solver: str) -> None:
    """Raise BadParameter where weights of a schedule are asked for that does not run."""
    if not isinstance(refit, bool | np.bool_):
        raise BadParameter(f"refit must be True or False, got {refit!r}. Use one of them.")
    if not refit and solver != "adm":
        raise BadParameter(
            f"refit=False keeps the weights at which the schedule of 'adm' ends, but solver={solver!r} solves for all weights "
            f"exactly. Use solver='adm', or refit=True."
        )


def unrestricted(products: Products, penalty: RowCount) -> bool:
    """Whether no more terms than allowed occur in any document."""
    return bool(
        penalty.limit >= products.shape[1] or np.count_nonzero(Fitting(products, np.empty(0), 0.0).squares) <= penalty.limit
    )


def _by_alternating_directions(fitting: Fitting, penalty: RowCount, tol: float, max_iter: int) -> tuple[Fit, MadeBy]:
    """The terms at which the schedule ends, with the best weights for them (P27)."""
    ended = alternate(fitting.products, fitting.Y, penalty, max_iter)
    A = ended.weights
    before = float(np.sum((fitting.Y - fitting.products.forward(A)) ** 2) + penalty.value(A))
    error = ended.error if ended.error > SETTLED else 0.0
    made_by: MadeBy = {"iterations": ended.iterations, "error": error, "schedule_objective": before}
    fit = fitting.fit(np.flatnonzero(A.any(axis=1)))
    return (fit if penalty.refit else replace(fit, weights=A[fit.terms], objective=before)), made_by


def _by_exchange(fitting: Fitting, penalty: RowCount, tol: float, max_iter: int) -> tuple[Fit, MadeBy]:
    """Forward and backward selection in batches, followed by exchanges of terms while the objective falls (P25, P26)."""
    found, fits, gain = min(
        (fitting.exchange(start, tol, max_iter) for start in fitting.starts(penalty.limit)), key=lambda end: fitting.rank(end[0])
    )
    return found, {"iterations": max(1, fits), "error": max(gain, tol, np.finfo(float).eps) if fits >= max_iter else 0.0}


def _say(penalty: RowCount, fit: Fit, made_by: MadeBy, solver: str) -> None:
    found = np.count_nonzero(fit.weights.any(axis=1))
    if made_by["error"] > 0:
        warn(
            f"the choice of terms by {solver!r} stopped after {made_by['iterations']} iterations, the last of which may "
            f"have changed {made_by['error']:.1e}. Raise max_iter, or raise tol.",
            Unconverged,
        )
    if penalty.n_terms is not None and not penalty.at_most and found < penalty.n_terms:
        warn(
            f"asked for {penalty.n_terms} terms in all but {found} have a weight: these leave nothing for another to explain. "
            f"Continuing with {found}.",
            FewerTerms,
        )


def alternate(products: Products, Y: FloatArray, penalty: RowCount, max_iter: int) -> Solution:
    """Run the schedule until its steps are below the tolerance; the error is the last change of the weights, relative to them."""
    step = 1.0 / (largest_eigenvalue(products) or 1.0)
    A, fitted, multiplier = np.zeros((products.shape[1], Y.shape[1])), np.zeros_like(Y), np.zeros_like(Y)
    mu, iterations, change = MU, 0, np.inf
    while iterations < max_iter and change > SETTLED:
        residual = (multiplier + mu * (Y - fitted)) / (1.0 + mu)
        downhill = products.backward(Y - fitted - residual + multiplier / mu)
        moved = penalty.prox(A + step * downhill, 0.5 * step / mu)
        change = float(np.abs(moved - A).max(initial=0.0) / (np.abs(moved).max(initial=0.0) or 1.0))
        A, fitted = moved, products.forward(moved)
        multiplier = multiplier + mu * (Y - fitted - residual)
        mu, iterations = mu * RHO, iterations + 1
    return Solution(A, iterations, change)


def largest_eigenvalue(products: Products) -> float:
    """The largest eigenvalue of XᵀX by power iteration, to about 1e-3, which suffices for a step size."""
    direction = products.backward(np.sqrt(np.arange(1.0, products.shape[0] + 1))[:, None])  # not constant: centring would make it 0
    value = 0.0
    for _ in range(POWERS):
        length = float(np.linalg.norm(direction))
        if length == 0:
            return value
        direction = products.backward(products.forward(direction / length))
        value = float(np.linalg.norm(direction))
    return value
