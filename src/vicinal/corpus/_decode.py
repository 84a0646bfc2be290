"""From bytes to text: encodings are detected, what cannot be text is replaced, and every replacement is counted."""

from __future__ import annotations

import codecs
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from vicinal.corpus._guess import GUESSED, guess_encoding
from vicinal.errors import BadParameter

#: How many bytes are examined to tell text from other data.
SAMPLE = 65_536
#: Combining marks on one letter, as in Unicode's stream-safe text: no language uses more.
MOST_MARKS = 30
REPLACEMENT = "\ufffd"

_BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),  # before UTF-16, whose mark it begins with
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
#: How pictures and programs begin: a small one may have so few controls that it would pass for text.
_NOT_TEXT = (b"\x89PNG\r\n", b"\xff\xd8\xff", b"GIF87a", b"GIF89a", b"\x7fELF")
#: Controls that no text has: all but backspace to carriage return and escape, which terminals write into their logs.
_CONTROLS = bytes({*range(8), *range(14, 27), 28, 29, 30, 31, 127})
#: Upper bytes of Greek, Cyrillic, Hebrew, Arabic and Thai in UTF-16: controls that no other text has.
_SCRIPTS = bytes([0x03, 0x04, 0x05, 0x06, 0x0E])
_ESCAPED = re.compile("[\udc80-\udcff]")
_SURROGATE = re.compile("[\ud800-\udfff]")
_ENCODED_SURROGATE = re.compile("\udced[\udca0-\udcbf][\udc80-\udcbf]")
_INVISIBLE = re.compile("[\u200b\u2060\ufeff\u202a-\u202e\u2066-\u2069]")
#: A quick test that most texts fail, before the exact one: the ranges hold all combining characters, and others.
_MAY_BE_LONG_RUN = re.compile(f"[\u0300-\u30ff\ua66f-\uabff\ufb1e-\U0001ffff]{{{MOST_MARKS + 1}}}")
_WINDOWS = {0xDC00 + byte: bytes([byte]).decode("cp1252", "replace") for byte in range(128, 256)}


@dataclass
class Tally:
    """How many bytes or characters of a source were guessed, replaced, left out or noticed in decoding."""

    guessed: int = 0
    replaced: int = 0
    marks: int = 0
    invisible: int = 0
    legacy: str = ""

    def sentences(self) -> Iterator[str]:
        """One sentence for each count above zero."""
        if self.legacy:
            yield f"text that is not UTF-8 and was read as {self.legacy}: give encoding= if it is another"
        if self.guessed:
            yield f"bytes that are not UTF-8 and were read as Windows-1252: {self.guessed:,}"
        if self.replaced:
            yield f"bytes or characters that cannot be text and were replaced: {self.replaced:,}"
        if self.marks:
            yield f"combining characters left out, since one letter had more than {MOST_MARKS}: {self.marks:,}"
        if self.invisible:
            yield f"invisible characters (zero width, or turning the direction of writing), kept: {self.invisible:,}"


def checked_encoding(name: str | None) -> str | None:
    """Return the normal name of an encoding of text, or raise BadParameter."""
    if name is None:
        return None
    try:
        "a".encode(name)  # says which codecs are not for text
        return codecs.lookup(name).name
    except (LookupError, TypeError, ValueError) as error:
        raise BadParameter(
            f"encoding must name an encoding of text, got {name!r}. Use encoding='utf-8', or None to detect it."
        ) from error


def sniff(head: bytes) -> str | None:
    """Return the encoding of text that begins with these bytes, UTF-8 where others are not certain; None if it is not text."""
    for mark, name in _BYTE_ORDER_MARKS:
        if head.startswith(mark):
            return name
    if head.startswith(_NOT_TEXT):
        return None
    wide = _wide(head) or guess_encoding(head)
    if wide:
        return wide
    controls = len(head) - len(head.translate(None, _CONTROLS))
    return None if controls > max(1, len(head) // 50) else "utf-8"


def _wide(head: bytes) -> str | None:
    """UTF-16 without a byte order mark: zeros, or the number of one script, in many upper bytes, and letters throughout."""
    if _is_ascii_with_zeros(head):
        return None
    head = head[: len(head) // 2 * 2]
    for name, upper, lower in (("utf-16-le", head[1::2], head[0::2]), ("utf-16-be", head[0::2], head[1::2])):
        few_zeros = lower.count(0) * 10 <= upper.count(0)  # some letters are 開, U+5F00
        if (upper.count(0) * 20 >= max(len(upper), 20) and few_zeros) or _is_of_one_script(upper, lower):
            text = head.decode(name, "replace")
            odd = sum(unicodedata.category(character) in {"Cn", "Co", "Cs"} for character in text)
            controls = sum(character < " " and character not in "\b\t\n\v\f\r\x1b" for character in text)
            if (odd + controls) * 50 <= len(text):
                return name
    return None


def _is_of_one_script(upper: bytes, lower: bytes) -> bool:
    """Whether nearly all upper bytes are the number of one script, a control in any other text, and the lower bytes vary."""
    number = max(_SCRIPTS, key=upper.count)
    found = upper.count(number)
    return (
        found >= 4
        and (found + upper.count(0)) * 20 >= len(upper) * 19
        and len(set(lower)) >= 4
        and lower.count(number) * 10 <= len(lower)
    )


def _is_ascii_with_zeros(head: bytes) -> bool:
    """Whether bytes are letters of ASCII with a few zeros between them; of such letters in UTF-16 every second byte is zero."""
    zeros = head.count(0)
    return 0 < zeros * 4 < len(head) and head.isascii() and len(head.translate(None, _CONTROLS)) == len(head) - zeros


def decode(data: bytes, tally: Tally, encoding: str | None = None, hint: str | None = None) -> str:
    """Turn bytes into text, whatever they are.

    ``encoding`` is used if given. Without it: a byte order mark, or UTF-16 that looks like it, or UTF-8; where the bytes
    are none of these, ``hint`` (what the document says of itself) if it fits, and else line by line Windows-1252, or
    replacement in lines that have UTF-8 too.
    """
    name = encoding or sniff(data[:SAMPLE]) or "utf-8"
    if encoding is None and name in GUESSED:
        hinted = _hinted(data, hint)
        if hinted is not None:
            return hinted
        tally.legacy = name
    if encoding is None and name == "utf-8":
        text = data.decode("utf-8", "surrogateescape")
        if text.isascii() or not _ESCAPED.search(text):
            return text
        hinted = _hinted(data, hint)
        return mended(text, tally) if hinted is None else hinted
    try:
        return data.decode(name)
    except UnicodeDecodeError:
        text = data.decode(name, "replace")
        tally.replaced += text.count(REPLACEMENT)
        return text


def _hinted(data: bytes, hint: str | None) -> str | None:
    try:
        return data.decode(hint) if hint else None
    except (LookupError, ValueError):
        return None


def mended(text: str, tally: Tally) -> str:
    """Decode the bytes that a decoding of UTF-8 with ``surrogateescape`` left escaped."""
    if text.isascii():
        return text
    return "".join(_mended_line(line, tally) for line in text.splitlines(keepends=True))


def _mended_line(line: str, tally: Tally) -> str:
    if line.isascii() or not _ESCAPED.search(line):
        return line
    line, surrogates = _ENCODED_SURROGATE.subn(REPLACEMENT, line)
    rest, escaped = _ESCAPED.subn("", line)
    if not rest.isascii():
        tally.replaced += surrogates + escaped
        return _ESCAPED.sub(REPLACEMENT, line)
    line = line.translate(_WINDOWS)
    unknown = line.count(REPLACEMENT)
    tally.guessed += escaped - unknown
    tally.replaced += unknown
    return line


def clean(text: str, tally: Tally) -> str:
    """Normalise a text (NFC, line ends) and remove NULs, lone surrogates and long runs of combining marks."""
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    if "\0" in text:
        tally.replaced += text.count("\0")
        text = text.replace("\0", " ")
    if text.isascii():
        return text
    text, halves = _SURROGATE.subn(REPLACEMENT, text)
    tally.replaced += halves
    tally.invisible += len(_INVISIBLE.findall(text))
    return unicodedata.normalize("NFC", _without_long_runs(text, tally))


def _without_long_runs(text: str, tally: Tally) -> str:
    """Shorten long runs of combining characters: the time to normalise a run grows with the square of its length."""
    if not _MAY_BE_LONG_RUN.search(text) or not _long_runs().search(text):
        return text
    shorter = _long_runs().sub(r"\1", text)
    tally.marks += len(text) - len(shorter)
    return shorter


@cache
def _long_runs() -> re.Pattern[str]:
    marks = "".join(chr(point) for point in range(0x300, 0x20000) if unicodedata.combining(chr(point)))
    return re.compile(f"([{marks}]{{{MOST_MARKS}}})[{marks}]+")


def one_line(text: str, width: int = 200) -> str:
    """Put a text on one line, with unprintable characters escaped, for reasons and notes."""
    shown = text if len(text) <= width else text[: width - 1] + "…"
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in shown)
