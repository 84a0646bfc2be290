"""What notebooks show of results: small tables and bars that are read on light and on dark pages, with every text escaped."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from vicinal._page_elements import Markup, element, joined, table

#: Styles stand at the elements, since notebooks have their own; but for bars, colours are those of the text around, some faint.
FOR, AGAINST = "#2f7ebc", "#c8553d"
_CELL = "text-align:left;vertical-align:top;padding:2px 10px 2px 0;border:0"
_NUMBER = "text-align:right;vertical-align:top;padding:2px 10px 2px 0;border:0;font-variant-numeric:tabular-nums"
BAR = 120  # pixels


def card(title: object, about: object, *content: object) -> Markup:
    """A heading, a line about it, and what follows."""
    return element(
        "div",
        element("div", title, style="font-weight:600"),
        element("div", about, style="opacity:0.7;margin-bottom:4px") if about else None,
        *content,
        style="font-size:13px;line-height:1.45;max-width:900px;overflow-wrap:anywhere",
    )


def rows_of(head: Sequence[str], rows: Iterable[Sequence[object]], numbers: Sequence[int] = ()) -> Markup:
    """A table whose styles stand in it; the columns of ``numbers`` end at the right."""
    plain = table(head, rows, numbers)
    for kind, weight in (("th", "600;opacity:0.7"), ("td", "400")):
        plain = Markup(
            plain.replace(f'<{kind} class="n">', f'<{kind} style="{_NUMBER};font-weight:{weight}">').replace(
                f"<{kind}>", f'<{kind} style="{_CELL};font-weight:{weight}">'
            )
        )
    return Markup(plain.replace("<table>", '<table style="border-collapse:collapse;margin:0">', 1))


def bars(parts: Sequence[tuple[str, float]], decimals: int = 3) -> Markup:
    """A row for each name with its number and a bar: to the right what counts for, in another colour what counts against."""
    largest = max((abs(value) for _, value in parts), default=0.0) or 1.0
    rows = [(name, f"{value:+.{decimals}f}", _bar(value, largest)) for name, value in parts]
    return rows_of(("term", "part", ""), rows, numbers=(1,))


def _bar(value: float, largest: float) -> Markup:
    width = 0 if value == 0 else max(1, round(BAR * abs(value) / largest))
    color = FOR if value >= 0 else AGAINST
    style = f"display:inline-block;width:{width}px;height:9px;border-radius:2px;background:{color}"
    return element("span", "", style=style)


def listed(names: Iterable[object]) -> Markup:
    """Names one after the other, in one line."""
    return joined([" · ".join(str(name) for name in names)])
