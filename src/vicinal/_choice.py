"""Choice: the value of a parameter that was chosen automatically, with the score of every candidate."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self, final

import numpy as np
from numpy.typing import NDArray

from vicinal._typing import ArrayLike, FloatArray
from vicinal.errors import BadData


@final
@dataclass(frozen=True, eq=False)
class Choice:
    """A parameter value that was chosen automatically, with its candidates, their scores and the range of nearly equal ones.

    Attributes
    ----------
    name : str
        The name of the parameter.
    candidates : array (candidates,)
        Candidate values, ascending.
    scores : float array (candidates,)
        One score per candidate; NaN where it could not be computed.
    chosen : int or float
        One of the candidates.
    low, high : int or float
        The candidates from ``low`` to ``high`` score within the tolerance of the best one.
    score : str
        The name of the score.
    higher_is_better : bool
        Whether a higher score is better.
    why : str
        One sentence: what was chosen, by which score, and the range within the tolerance.

    Examples
    --------
    >>> from vicinal import Choice
    >>> choice = Choice.of("n_clusters", [2, 3, 4], [0.5, 0.9, 0.88], score="quality", higher_is_better=True, margin=0.05)
    >>> choice.chosen, choice.range
    (3, (3, 4))
    """

    name: str
    candidates: NDArray[np.number]
    scores: FloatArray
    chosen: float
    low: float
    high: float
    score: str
    higher_is_better: bool
    why: str

    @classmethod
    def of(
        cls,
        name: str,
        candidates: ArrayLike,
        scores: ArrayLike,
        *,
        score: str,
        higher_is_better: bool = False,
        margin: float | FloatArray = 0.0,
        chosen: float | None = None,
        why: str | None = None,
    ) -> Self:
        """Choose a candidate by its score.

        Parameters
        ----------
        name : str
            The name of the parameter.
        candidates : array-like of shape (n_candidates,)
            Candidate values, in any order.
        scores : array-like of shape (n_candidates,)
            One score per candidate; NaN where it could not be computed.
        score : str
            The name of the score.
        higher_is_better : bool, default=False
            Whether a higher score is better.
        margin : float or array of shape (n_candidates,), default=0.0
            The tolerance: scores no further than this from the best one count as equal. The range is the run of such candidates
            around the best, without a gap.
        chosen : int or float, optional
            One of the candidates; by default the best one, the first of equals. It widens the range where it lies outside.
        why : str, optional
            The sentence; by default it is written from the rest.

        Returns
        -------
        Choice
            The choice, with candidates in ascending order.

        Raises
        ------
        BadData
            There is no candidate, or not one score per candidate.
        """
        candidates, scores = np.asarray(candidates), np.asarray(scores, dtype=np.float64)
        if candidates.ndim != 1 or candidates.shape != scores.shape or len(candidates) == 0:
            raise BadData(
                f"a choice of {name} needs one score per candidate, got {candidates.shape} and {scores.shape}. "
                f"Pass as many of both."
            )
        order = np.argsort(candidates, kind="stable")
        candidates, scores, margin = candidates[order], scores[order], np.broadcast_to(margin, scores.shape)[order]
        first, best, last = _near_best(scores if higher_is_better else -scores, margin)
        taken = candidates[best].item() if chosen is None else chosen
        low, high = min(candidates[first].item(), taken), max(candidates[last].item(), taken)
        candidates.flags.writeable = scores.flags.writeable = False
        if why is None:
            measure = f"{'highest' if higher_is_better else 'lowest'} {score}"
            why = _sentence(name, taken, candidates[best].item(), (low, high), candidates, measure)
        return cls(name, candidates, scores, taken, low, high, score, higher_is_better, why)

    def overruled(self, chosen: int | float, reason: str) -> Choice:
        """Return the same scores with another chosen value, for a reason other than the scores.

        Parameters
        ----------
        chosen : int or float
            It widens the range where it lies outside, and joins the candidates without a score where it is none of them.
        reason : str
            A clause that follows the value.

        Returns
        -------
        Choice
            A new choice; this one is unchanged.
        """
        candidates, scores = self.candidates, self.scores
        if chosen not in candidates:
            place = int(np.searchsorted(candidates, chosen))
            candidates, scores = np.insert(candidates, place, chosen), np.insert(scores, place, np.nan)
            candidates.flags.writeable = scores.flags.writeable = False
        low, high = min(self.low, chosen), max(self.high, chosen)
        why = f"{self.name}={_short(chosen)}, since {reason}. By score alone: {self.why}"
        return replace(self, candidates=candidates, scores=scores, chosen=chosen, low=low, high=high, why=why)

    @property
    def best(self) -> float:
        """The candidate with the best score: ``chosen``, unless something else decided."""
        signed = self.scores if self.higher_is_better else -self.scores
        best: float = self.candidates[_near_best(signed, 0.0)[1]].item()
        return best

    @property
    def range(self) -> tuple[float, float]:
        """``(low, high)``."""
        return self.low, self.high

    def __repr__(self) -> str:
        """One line."""
        return f"Choice({self.name}={_short(self.chosen)}, range {_short(self.low)} to {_short(self.high)}, by {self.score})"

    def _repr_html_(self) -> str:
        """What a notebook shows: the sentence, and the candidates with their scores."""
        from vicinal._notebook_html import card, rows_of

        rows = [
            (
                "chosen" if candidate == self.chosen else "as good" if self.low <= candidate <= self.high else "",
                _short(candidate),
                f"{score:.6g}",
            )
            for candidate, score in zip(self.candidates, self.scores, strict=True)
        ]
        better = f"{self.score} ({'higher' if self.higher_is_better else 'lower'} is better)"
        return card(f"{self.name} = {_short(self.chosen)}", self.why, rows_of(("", self.name, better), rows, numbers=(1, 2)))

    def __str__(self) -> str:
        """The sentence, and a line per candidate: * the chosen one, + those in the range."""
        lines = [self.why, f"  {self.name:>12}  score ({'higher' if self.higher_is_better else 'lower'} is better)"]
        for candidate, score in zip(self.candidates, self.scores, strict=True):
            mark = "*" if candidate == self.chosen else "+" if self.low <= candidate <= self.high else " "
            lines.append(f"{mark} {_short(candidate):>12}  {score:.6g}")
        return "\n".join(lines)


def _near_best(signed: FloatArray, margin: float | FloatArray) -> tuple[int, int, int]:
    """First, best and last of the run around the best score that is within the margin of it; the first where none is a number."""
    signed = np.where(np.isnan(signed), -np.inf, signed)
    best = int(np.argmax(signed))
    near = signed >= signed[best] - margin
    first = last = best
    while first > 0 and near[first - 1]:
        first -= 1
    while last + 1 < len(near) and near[last + 1]:
        last += 1
    return first, best, last


def _short(number: object) -> str:
    return f"{number:.3g}" if isinstance(number, float | np.floating) else str(number)


def _sentence(
    name: str, chosen: float, best: float, near: tuple[float, float], candidates: NDArray[np.number], measure: str
) -> str:
    value = f"{name}={_short(chosen)} chosen automatically"
    if len(candidates) == 1:
        return f"{value}: the only candidate."
    first, last = _short(candidates[0]), _short(candidates[-1])
    winner = "" if chosen == best else f"{_short(best)} has "
    equal = "" if near[0] == near[1] else f"; {_short(near[0])} to {_short(near[1])} score within the tolerance"
    side = "smallest" if chosen <= candidates[0] else "largest"
    edge = "" if candidates[0] < chosen < candidates[-1] else f"; it is the {side} candidate"
    return f"{value}: {winner}the {measure} of the candidates {first} to {last}{equal}{edge}."


def is_auto(parameter: object) -> bool:
    """Whether a parameter is to be chosen automatically."""
    return isinstance(parameter, str) and parameter == "auto"
