"""Mail: one message per file, or a mailbox with many; subject as title, the plain text if there is one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from vicinal.corpus._decode import decode
from vicinal.corpus._document import Scalar
from vicinal.corpus._formats.base import Desk, Draft
from vicinal.corpus._formats.html import visible_text
from vicinal.corpus._report import Unreadable

if TYPE_CHECKING:
    from email.message import EmailMessage

#: Longer headers are not taken apart: the time to do so grows with the square of their length.
_LONGEST_HEADER = 2_000
_HEADER = re.compile(rb"[!-9;-~]{1,100}:")


def message(desk: Desk) -> Iterator[Draft]:
    """Read a file that is one message."""
    yield _draft(desk.data(), desk)


def mailbox(desk: Desk) -> Iterator[Draft]:
    """Read the messages of a mailbox one by one; a message that cannot be read is skipped."""
    for number, data in enumerate(_messages(desk), start=1):
        if data is None:
            desk.skip(f"message {number:,}: larger than {desk.limits.document_bytes:,} bytes")
            continue
        try:
            draft = _draft(data, desk, number)
        except Exception as error:
            desk.skip(f"message {number:,}: {type(error).__name__}: {error}")
            continue
        if draft.text.strip() or draft.title.strip():
            yield draft
        else:
            desk.skip(f"message {number:,}: no text")


def _messages(desk: Desk) -> Iterator[bytes | None]:
    """Bytes of each message; None for one that is too large."""
    kept: list[bytes] = []
    size, begun, limit = 0, False, desk.limits.document_bytes
    for line, begins in _marked_lines(desk):
        if begins:
            if begun:
                yield b"".join(kept) if size <= limit else None
            kept, size, begun = [], 0, True
        elif begun:
            size += len(line)
            if size <= limit:
                kept.append(line[1:] if line.startswith(b">From ") else line)
            else:
                kept.clear()
        elif line.strip():
            raise Unreadable("no mailbox: it does not begin with a line 'From …'")
    if begun:
        yield b"".join(kept) if size <= limit else None


def _marked_lines(desk: Desk) -> Iterator[tuple[bytes, bool]]:
    """Each line, and whether a message begins there: with "From " after a blank line and before a header."""
    blank, line = True, desk.stream.readline(desk.limits.document_bytes)
    while line:
        following = desk.stream.readline(desk.limits.document_bytes)
        yield line, blank and line.startswith(b"From ") and _HEADER.match(following) is not None
        blank, line = line in {b"\n", b"\r\n"}, following


def _draft(data: bytes, desk: Desk, number: int | None = None) -> Draft:
    from email import message_from_bytes, policy

    mail = message_from_bytes(data, policy=policy.default)
    if number is None and not mail.keys():
        raise Unreadable("no mail: it has no headers")
    return Draft(
        text=_body(mail, desk),
        title=_header(mail, "subject"),
        row=number,
        key=_header(mail, "message-id").strip("<> \t") if number is not None else "",
        metadata=_metadata(mail),
    )


def _metadata(mail: EmailMessage) -> dict[str, Scalar]:
    found: dict[str, Scalar] = {"from": _header(mail, "from"), "date": _date(_header(mail, "date"))}
    return {name: value for name, value in found.items() if value}


def _header(mail: EmailMessage, name: str) -> str:
    """A header as text: as it stands where it is too long or too strange to be taken apart."""
    raw = next((str(value) for key, value in mail.raw_items() if key.lower() == name), "")
    if len(raw) <= _LONGEST_HEADER:
        try:
            return str(mail[name] or "")
        except Exception:  # the parser of headers fails on some in many ways
            return raw
    return raw[:_LONGEST_HEADER]


def _date(header: str) -> str:
    from email.utils import parsedate_to_datetime

    try:
        return parsedate_to_datetime(header).isoformat()
    except (ValueError, TypeError, IndexError, OverflowError):
        return header


def _body(mail: EmailMessage, desk: Desk) -> str:
    """All plain text that is no attachment; the text of the pages where there is none."""
    texts: dict[str, list[str]] = {"text/plain": [], "text/html": []}
    for part in mail.walk():
        kind = part.get_content_type()
        if kind in texts and part.get_content_disposition() != "attachment":
            texts[kind].append(_part(part, desk))
    plain = [text for text in texts["text/plain"] if text.strip()]
    return "\n\n".join(plain or [visible_text(page)[0] for page in texts["text/html"]])


def _part(part: Any, desk: Desk) -> str:
    payload = part.get_payload(decode=True)
    if not isinstance(payload, bytes):
        return ""
    try:
        hint = part.get_content_charset()
        stated = hint if hint and hint not in {"us-ascii", "utf-8"} and payload.decode(hint) is not None else None
    except (LookupError, ValueError):
        stated = None
    return decode(payload, desk.tally, stated)
