"""What every column of a table of results has."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Column:
    """A setting or a contestant.

    Attributes
    ----------
    name : str
        For the command line and the file of results.
    title : str
        For the page.
    """

    name: str
    title: str
