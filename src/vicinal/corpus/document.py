"""What every reader of text gives back: one document."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Document:
    """One text with a name: what readers give and what an index takes.

    Parameters
    ----------
    id : str
        Names this document and no other of its corpus; the same on every reading.
    text : str
        What is indexed.
    title : str, optional
        What is shown to a reader.
    label : str, optional
        The class it is known to belong to; empty when none is known.
    source : str, optional
        Where it was read from.
    """

    id: str
    text: str
    title: str = ""
    label: str = ""
    source: str = ""
