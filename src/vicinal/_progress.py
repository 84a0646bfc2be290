"""The progress protocol: long calls report their steps to a function that the caller may supply."""

from __future__ import annotations

from typing import Protocol


class Progress(Protocol):
    """Called while work goes on; what it returns is ignored."""

    def __call__(self, step: str, done: int, total: int, /) -> object:
        """Report one step.

        Parameters
        ----------
        step : str
            What is being done, such as "read", "terms", "embedding", "clusters", "save".
        done : int
            How much of it is done.
        total : int
            How much there is; 0 where that is not known.
        """


def silent(step: str, done: int, total: int) -> None:
    """Ignore all reports: the default."""
