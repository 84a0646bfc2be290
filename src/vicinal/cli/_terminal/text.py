"""Text for the terminal: escaped, cut to a width, aligned; numbers as people read them."""

from __future__ import annotations

import shlex
import sys
import unicodedata
from collections.abc import Iterable, Sequence
from math import floor

from rich.cells import cell_len
from rich.text import Text

#: Controls, format characters (which can turn the direction of writing), lone surrogates, private use, line separators.
_UNSEEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
#: Decimals of a score and of its parts.
DECIMALS = 2
#: Blanks between texts that stand side by side.
GAP = 2


def visible(text: str) -> str:
    r"""Put a text on one line and write out what cannot be seen: an escape character becomes ``\x1b``."""
    return "".join(shown_character(character) for character in " ".join(text.split()))


def shown_character(character: str) -> str:
    """A character, or what is written for one that cannot be seen."""
    if character.isascii() and character.isprintable():
        return character
    return character.encode("unicode_escape").decode("ascii") if unicodedata.category(character) in _UNSEEN else character


def clipped(text: str, width: int, style: str = "") -> Text:
    """Return as much of a text as fits on one line of ``width`` cells, with an ellipsis where something is missing."""
    line = Text(visible(text), style=style, no_wrap=True, overflow="ellipsis")
    line.truncate(max(width, 1), overflow="ellipsis")
    return line


def aligned(cells: Iterable[tuple[Text, int]]) -> Text:
    """Put texts side by side on one line, each in its own width; a width of 0 leaves a text out."""
    line = Text(no_wrap=True)
    for text, width in cells:
        if width > 0:
            cell = text.copy()
            cell.truncate(width, overflow="ellipsis", pad=True)
            line.append_text(cell).append(" " * GAP)
    return line[: max(len(line) - GAP, 0)]


def fitting(words: Iterable[str], width: int) -> str:
    """As many whole words as fit into a line; the beginning of the first where not even that fits."""
    line = ""
    for word in words:
        longer = f"{line} {visible(word)}".strip()
        if cell_len(longer) > width:
            return line or clipped(word, width).plain
        line = longer
    return line


def apportion(parts: Sequence[float], total: float) -> list[float]:
    """Round parts so that, as written, they add up to the total as written: 0.004 + 0.004 is 0.01, not 0.00.

    Each is rounded down, and those that lost most are raised by one in the last place: largest remainders, as votes
    become seats. None moves by as much as one in the last place.
    """
    scale = 10**DECIMALS
    floors = [floor(part * scale) for part in parts]
    missing = round(total * scale) - sum(floors)
    by_loss = sorted(range(len(parts)), key=lambda i: floors[i] - parts[i] * scale)
    raised = set(by_loss[: max(missing, 0)])
    return [(down + (i in raised)) / scale for i, down in enumerate(floors)]


def duration(seconds: float) -> str:
    """Seconds in the unit that is easiest to read."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 90 * 60 else f"{seconds / 3600:.1f} h"


def human_bytes(number: int) -> str:
    """A size in bytes, kB, MB, GB or TB."""
    size, unit = float(number), "bytes"
    for larger in ("kB", "MB", "GB", "TB"):
        if size < 1000:
            break
        size, unit = size / 1000, larger
    return f"{size:.0f} {unit}" if unit == "bytes" else f"{size:.1f} {unit}"


def documents_were(number: int) -> str:
    """The beginning of a sentence on so many documents."""
    return "1 document was" if number == 1 else f"{number:,} documents were"


def opening_command(file: str) -> str:
    """The command by which this system opens a file in the program that is meant for it."""
    name = {"darwin": "open", "win32": "start"}.get(sys.platform, "xdg-open")
    return f"{name} {shlex.quote(visible(file))}"
