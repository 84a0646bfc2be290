"""Pieces of pages: elements whose texts and attributes are escaped when they are made, so that no text can become markup."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import final

#: What cannot be seen and would change the order of what stands beside it; a text with it is shown as if it were not there.
_DIRECTIONS = dict.fromkeys([*range(0x202A, 0x202F), *range(0x2066, 0x206A), *range(0x00, 0x09), 0x0B, 0x0C, *range(0x0E, 0x20)])
#: Elements without an end.
_VOID = frozenset({"br", "hr", "meta"})


@final
class Markup(str):
    """Text that is a piece of a page already, and is not escaped again."""

    __slots__ = ()


def text_of(value: object) -> Markup:
    """A value as escaped text; markup stays as it is."""
    return value if isinstance(value, Markup) else Markup(escape(str(value).translate(_DIRECTIONS), quote=True))


def element(name: str, /, *content: object, **attributes: object) -> Markup:
    """An element with its content, each part escaped unless it is markup.

    Parameters
    ----------
    name : str
    *content : object
        Texts and elements; None is left out.
    **attributes : object
        ``class_`` stands for ``class`` and ``_`` for ``-``; None leaves an attribute out.
    """
    written = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{text_of(value)}"' for key, value in attributes.items() if value is not None
    )
    if name in _VOID:
        return Markup(f"<{name}{written}>")
    return Markup(f"<{name}{written}>{joined(content)}</{name}>")


def joined(parts: Iterable[object]) -> Markup:
    """Parts one after the other, without those that are None."""
    return Markup("".join(text_of(part) for part in parts if part is not None))


def table(
    head: Sequence[object], rows: Iterable[Sequence[object]], numbers: Sequence[int] = (), class_: str | None = None
) -> Markup:
    """A table with a row of headings.

    Parameters
    ----------
    head : sequence
    rows : iterable of sequences
    numbers : sequence of int, default=()
        The columns that hold numbers and end at the right.
    class_ : str, optional
    """

    def cells(kind: str, values: Sequence[object]) -> Markup:
        """The cells of one row; columns of numbers have a class of their own."""
        return joined(element(kind, value, class_="n" if i in numbers else None) for i, value in enumerate(values))

    body = joined(element("tr", cells("td", row)) for row in rows)
    return element("table", element("thead", element("tr", cells("th", head))), element("tbody", body), class_=class_)
