"""`Explanation`: a number as a sum of contributions of terms."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np

from vicinal._typing import FloatArray

SHOWN = 12  # terms in a notebook


@final
@dataclass(frozen=True, eq=False)
class Explanation:
    """A number as a sum of contributions, one per term of the document.

    Attributes
    ----------
    terms : tuple of str
        The terms of the document, and "(constant)" for what no term contributes, where there is such a part.
    parts : ndarray of shape (n_parts,)
        The contribution of each, in the same order.
    total : float
        The number that is explained: the sum of the parts.

    References
    ----------
    .. [1] docs/maths/projection.md, "Explanations" (P8, P9).

    Examples
    --------
    >>> import numpy as np
    >>> from vicinal.projection import Explanation
    >>> Explanation(("bread", "rye"), np.array([0.5, -2.0]), -1.5).top(1)
    [('rye', -2.0)]
    """

    terms: tuple[str, ...]
    parts: FloatArray
    total: float

    def top(self, limit: int = 10) -> list[tuple[str, float]]:
        """Return the terms with the largest contributions in absolute value.

        Parameters
        ----------
        limit : int, default=10
            How many terms at most.

        Returns
        -------
        list of (str, float)
            Terms and contributions, largest absolute value first; equal ones in the order of the terms.

        Examples
        --------
        >>> import numpy as np
        >>> from vicinal.projection import Explanation
        >>> Explanation(("bread", "rye"), np.array([0.5, -2.0]), -1.5).top()
        [('rye', -2.0), ('bread', 0.5)]
        """
        order = np.argsort(-np.abs(self.parts), kind="stable")[:limit]
        return [(self.terms[i], float(self.parts[i])) for i in order]

    def _repr_html_(self) -> str:
        """What a notebook shows: a bar for each of the largest contributions."""
        from vicinal._notebook_html import bars, card

        shown = self.top(SHOWN)
        rest = len(self.terms) - len(shown)
        more = f"; {rest:,} more terms add {self.total - sum(part for _, part in shown):+.3f}" if rest else ""
        return card(f"{self.total:.4g}", f"the sum of {len(self.terms):,} terms{more}", bars(shown))


def added_up(names: tuple[str, ...], parts: FloatArray) -> Explanation:
    """Sum in the order of the terms, as the product itself does, so that parts and total agree to the last bit."""
    total = 0.0
    for part in parts:
        total += part
    return Explanation(names, parts, float(total))
