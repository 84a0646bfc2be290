"""`Encoder`: the one thing that is asked of a model of texts, and the check of what it answers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

import numpy as np

from vicinal._typing import Floats
from vicinal.errors import BadData


@runtime_checkable
class Encoder(Protocol):
    """A model that turns texts into vectors: any object with this method will do.

    See Also
    --------
    load_encoder : Loads one of a folder or an installed package.

    Examples
    --------
    >>> import numpy as np
    >>> from vicinal.encoders import Encoder
    >>> class Lengths:
    ...     def encode(self, texts):
    ...         return np.array([[len(text), text.count(" ")] for text in texts], dtype=float)
    >>> isinstance(Lengths(), Encoder)
    True
    """

    def encode(self, texts: Sequence[str]) -> Floats:
        """Return one vector per text.

        Parameters
        ----------
        texts : sequence of str
            The texts, in the order of the rows that are returned.

        Returns
        -------
        ndarray of float, shape (n_texts, n_numbers)
            One row per text.
        """
        ...


def vectors_of(encoder: Encoder, texts: Sequence[str]) -> Floats:
    """What an encoder answers, checked: one row of finite numbers per text."""
    vectors = np.asarray(encoder.encode(texts), dtype=np.float32)
    name = type(encoder).__name__
    if vectors.ndim != 2 or len(vectors) != len(texts):
        raise BadData(
            f"an encoder must return one vector per text, got shape {vectors.shape} from {name} for {len(texts)} texts. "
            f"Use another encoder, or mend its encode."
        )
    bad = np.flatnonzero(~np.isfinite(vectors).all(axis=1))
    if bad.size:
        raise BadData(
            f"{name} returned a number that is not finite for text {bad[0]}. Leave that text out, or use another encoder."
        )
    return vectors
