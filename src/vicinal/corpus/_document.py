"""`Document`: the one record of a text, from the file it is read from to the index that stores it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

Scalar: TypeAlias = str | int | float | bool | None


class Metadata(Mapping[str, Scalar]):
    """A mapping of names to plain values that cannot be changed; it can be hashed, copied and pickled."""

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
    """One text with an id: what `read` and the loaders of `vicinal.datasets` give, and what an `Index` takes.

    Parameters
    ----------
    id : str
        Identifies the document within its corpus; the same on every reading.
    text : str
        The text.
    title : str, default=""
        The title; terms are counted in it as in the text.
    label : str, default=""
        The class it is known to belong to; empty when none is known.
    source : str, default=""
        The file it was read from.
    metadata : mapping of str to str, int, float, bool or None, default={}
        Other values, such as a date; kept as a copy that cannot be changed.

    Attributes
    ----------
    id, text, title, label, source : str
        As given.
    metadata : mapping
        The copy.

    Examples
    --------
    >>> from vicinal import Document
    >>> document = Document("news/1", "Prices rose again.", title="Wheat", metadata={"year": 1987})
    >>> document.metadata["year"]
    1987
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
        """Title and text, the title on a line of its own: what methods fit, search and classify.

        Returns
        -------
        str

        Examples
        --------
        >>> from vicinal import Document
        >>> Document("news/1", "Prices rose again.", title="Wheat").full_text
        'Wheat\\nPrices rose again.'
        """
        return f"{self.title}\n{self.text}" if self.title else self.text
