"""What reaches the terminal: text that is shown and never obeyed, in a width that can be read."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.text import Text

#: Longer lines are hard to read, however wide the window.
WIDEST = 120
#: Controls, format characters (which can turn the direction of writing), lone surrogates, private use, line separators.
_UNSEEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})


def console(*, stderr: bool = False) -> Console:
    """Return a console that interprets nothing: no markup, no emoji names, no colouring of what looks like a number."""
    made = Console(stderr=stderr, markup=False, emoji=False, highlight=False)
    if made.width > WIDEST:
        made.width = WIDEST
    return made


@contextmanager
def without_trailing_spaces(screen: Console) -> Iterator[None]:
    """Leave out the blanks that fill a screen's lines when what is printed goes to a file."""
    if screen.is_terminal:
        yield
        return
    with screen.capture() as captured:
        yield
    screen.file.write("".join(f"{line.rstrip()}\n" for line in captured.get().splitlines()))


def visible(text: str) -> str:
    r"""Put a text on one line and write out what cannot be seen: an escape character becomes ``\x1b``."""
    return "".join(_shown(character) for character in " ".join(text.split()))


def _shown(character: str) -> str:
    if character.isascii() and character.isprintable():
        return character
    return character.encode("unicode_escape").decode("ascii") if unicodedata.category(character) in _UNSEEN else character


def clipped(text: str, width: int, style: str = "") -> Text:
    """Return as much of a text as fits on one line of ``width`` cells, with an ellipsis where something is missing."""
    line = Text(visible(text), style=style, no_wrap=True, overflow="ellipsis")
    line.truncate(max(width, 1), overflow="ellipsis")
    return line


def aligned(cells: Iterable[tuple[Text, int]], gap: int = 2) -> Text:
    """Put texts side by side on one line, each in its own width; a width of 0 leaves a text out."""
    line = Text(no_wrap=True)
    for text, width in cells:
        if width > 0:
            cell = text.copy()
            cell.truncate(width, overflow="ellipsis", pad=True)
            line.append_text(cell).append(" " * gap)
    return line[: max(len(line) - gap, 0)]


def fitting(words: Iterable[str], width: int) -> str:
    """As many whole words as fit into a line."""
    line = ""
    for word in words:
        longer = f"{line} {visible(word)}".strip()
        if len(longer) > width:
            break
        line = longer
    return line
