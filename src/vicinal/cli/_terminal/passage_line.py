"""A passage on one line: the part of it that fits with most words of the query, in brackets and bold on a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from rich.cells import cell_len
from rich.text import Text

from vicinal.cli._terminal.text import shown_character

if TYPE_CHECKING:
    from vicinal.index import Passage

#: What marks the beginning and the end of a word until the line is cut; a passage with matches has none of them in its text.
_OPENED, _CLOSED = "\x02", "\x03"
_ELLIPSIS = "…"
#: Share of the line that is left for what stands before the first word.
_BEFORE = 0.3

#: What is shown for a character, and whether it is part of a word of the query.
_Cell: TypeAlias = tuple[str, bool]


def passage_line(passage: Passage, width: int) -> Text:
    """A passage cut to a width, in such a way that words of the query are inside it."""
    cells = _cells(passage)
    cells = cells if sum(cell_len(shown) for shown, _ in cells) <= width else _cut(cells, max(width, 4))
    line = Text(no_wrap=True)
    for shown, marked in cells:
        line.append(shown, "bold" if marked else "dim")
    return line


def _cells(passage: Passage) -> list[_Cell]:
    """The characters of a passage as they are shown, on one line."""
    text = " ".join(passage.marked(_OPENED, _CLOSED).split())
    if not passage.matches:
        return [(shown_character(character), False) for character in text]
    found, inside = list[_Cell](), False
    for character in text:
        opens, closes = character == _OPENED, character == _CLOSED
        inside = (inside or opens) and not closes
        shown = "[" if opens else "]" if closes else shown_character(character)
        found.append((shown, inside or closes))
    return found


def _cut(cells: list[_Cell], width: int) -> list[_Cell]:
    """As many cells as fit, from where most words of the query are inside; ellipses where something is missing."""
    words = _words(cells)
    start = max(_starts(cells, words, width), key=lambda at: (len(_inside(words, at, _stop(cells, at, width))), -at))
    stop = _stop(cells, start, width)
    if stop == len(cells):  # there is room for more before it
        start = next((at for at in range(start) if _begins_word(cells, at) and _stop(cells, at, width) == stop), start)
    broken = next((begin for begin, end in words if start < begin < stop < end), stop)
    stop = broken if _inside(words, start, broken) else stop  # or a single word that is wider than the line
    before, after = [(_ELLIPSIS, False)] if start else [], [(_ELLIPSIS, False)] if stop < len(cells) else []
    return [*before, *cells[start:stop], *after]


def _words(cells: list[_Cell]) -> list[tuple[int, int]]:
    """Where each word of the query begins and ends, its brackets included."""
    begins = [i for i, (shown, marked) in enumerate(cells) if marked and shown == "[" and (i == 0 or not cells[i - 1][1])]
    ends = [i + 1 for i, (_, marked) in enumerate(cells) if marked and (i + 1 == len(cells) or not cells[i + 1][1])]
    return list(zip(begins, ends, strict=False))


def _starts(cells: list[_Cell], words: list[tuple[int, int]], width: int) -> list[int]:
    """Where the line may begin: at its beginning, at a word with some room before each word of the query, or at that word."""
    before = int(_BEFORE * width)
    earliest = [(max(begin - before, 0), begin) for begin, _ in words]
    roomy = [next((at for at in range(low, high) if _begins_word(cells, at)), high) for low, high in earliest]
    return [0, *roomy, *(begin for begin, _ in words)]


def _begins_word(cells: list[_Cell], at: int) -> bool:
    return at == 0 or cells[at - 1][0] == " "


def _stop(cells: list[_Cell], start: int, width: int) -> int:
    """Where a line that begins at a cell ends, with an ellipsis on either side where text is missing."""
    room, stop = width - (start > 0), start
    while stop < len(cells) and cell_len(cells[stop][0]) <= room:
        room -= cell_len(cells[stop][0])
        stop += 1
    while stop < len(cells) and room < 1 and stop > start:
        stop -= 1
        room += cell_len(cells[stop][0])
    return stop


def _inside(words: list[tuple[int, int]], start: int, stop: int) -> list[tuple[int, int]]:
    """The words that are on a line as a whole."""
    return [word for word in words if start <= word[0] and word[1] <= stop]
