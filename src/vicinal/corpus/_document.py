"""What every reader of text gives back: one document."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

Scalar: TypeAlias = str | int | float | bool | None


class Metadata(Mapping[str, Scalar]):
    """Names and plain values that belong to a document and cannot be changed; it can be hashed, copied and sent elsewhere."""

    __slots__ = ("_values",)

    def __init__(self, values: Mapping[str, Scalar] | None = None) -> None:
        self._values = dict(values or {})

    def __getitem__(self, name: str) -> Scalar:
        return self._values[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __hash__(self) -> int:
        return hash(frozenset(self._values.items()))

    def __repr__(self) -> str:
        return repr(self._values)


NO_METADATA = Metadata()


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
    metadata : mapping of str to str, int, float, bool or None, optional
        What else is known about it, such as a date; kept as a copy that cannot be changed.
    """

    id: str
    text: str
    title: str = ""
    label: str = ""
    source: str = ""
    metadata: Mapping[str, Scalar] = NO_METADATA

    def __post_init__(self) -> None:
        if not isinstance(self.metadata, Metadata):
            object.__setattr__(self, "metadata", Metadata(self.metadata))

    @property
    def full_text(self) -> str:
        """Title and text: what is learnt from, looked at and sorted."""
        return f"{self.title}\n{self.text}" if self.title else self.text
