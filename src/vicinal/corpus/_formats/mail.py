"""Mail: one message per file, or a mailbox of many; the subject is the title, and plain text is preferred to HTML."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import PurePath
from typing import TYPE_CHECKING

from vicinal.corpus._decode import decode, sniff
from vicinal.corpus._document import Document, Scalar
from vicinal.corpus._formats.html import visible_text
from vicinal.corpus._formats.input import Input, NeedsCage, look_ahead
from vicinal.corpus._read_report import Unreadable

if TYPE_CHECKING:
    from email.message import EmailMessage, Message

#: Longer headers are not parsed: the time grows with the square of their length.
_LONGEST_HEADER = 2_000
#: Bytes up to which a message without attachments may be read without limits: the time can grow with the square of its length.
SMALL_MAIL = 64_000
_HEADER = re.compile(rb"[!-9;-~]{1,100}:")
#: A header that the standard parser takes apart when a part is looked at, and that is so long that this takes long, too.
_LONG_FIELD = re.compile(rb"(?:\A|[\r\n])content-[a-z-]{1,40}:(?:[^\r\n]|\r?\n[ \t]|\r[ \t]){%d}" % _LONGEST_HEADER, re.IGNORECASE)


def message(file: Input) -> Iterator[Document]:
    """Read a file that is one message, and its attachments."""
    yield from documents_of_message(file.data(), file)


def documents_of_message(data: bytes, file: Input) -> Iterator[Document]:
    """A message, and the documents in its attachments."""
    if not file.caged and (len(data) > SMALL_MAIL or _LONG_FIELD.search(data)):
        raise NeedsCage
    mail, document = _document(data, file)
    if not file.caged and any(map(_is_attachment, mail.walk())):
        raise NeedsCage
    yield document
    yield from _attachments(mail, document, file)


def mailbox(file: Input) -> Iterator[Document]:
    """Read the messages of a mailbox one by one; a message that cannot be read is skipped."""
    for number, data in enumerate(_messages(file), start=1):
        if data is None:
            file.skip(f"message {number:,}: larger than {file.limits.document_bytes:,} bytes")
            continue
        try:
            mail, document = _document(data, file, number)
        except Unreadable:  # the time of the whole mailbox is used up
            raise
        except Exception as error:
            file.skip(f"message {number:,}: {type(error).__name__}: {error}")
            continue
        if document.text.strip() or document.title:
            yield document
        else:
            file.skip(f"message {number:,}: no text")
        yield from _attachments(mail, document, file)


def _messages(file: Input) -> Iterator[bytes | None]:
    """Bytes of each message; None for one that is too large."""
    kept: list[bytes] = []
    size, begun, limit = 0, False, file.limits.document_bytes
    for line, begins in _marked_lines(file):
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
            raise Unreadable("not a mailbox: it does not begin with a line 'From …'")
    if begun:
        yield b"".join(kept) if size <= limit else None


def _marked_lines(file: Input) -> Iterator[tuple[bytes, bool]]:
    """Each line, and whether a message begins there: with "From " after a blank line and before a header."""
    blank, line = True, file.stream.readline(file.limits.document_bytes)
    while line:
        following = file.stream.readline(file.limits.document_bytes)
        yield line, blank and line.startswith(b"From ") and _HEADER.match(following) is not None
        blank, line = line in {b"\n", b"\r\n"}, following


def _attachments(mail: EmailMessage, message: Document, file: Input) -> Iterator[Document]:
    """The documents in the files that are attached to a message, which is their parent; what cannot be read is reported."""
    for number, part in enumerate(mail.walk(), start=1):
        if not _is_attachment(part):
            continue
        name = (part.get_filename() or f"attachment {number}").replace("/", "_")
        payload = part.get_payload(decode=True)
        inside = replace(file, stream=io.BytesIO(payload if isinstance(payload, bytes) else b""), name=f"{message.id}/{name}")
        inside.by_itself = False
        try:
            for document in _read_attachment(inside):
                yield replace(document, metadata={**document.metadata, "parent": message.id})
        except Exception as error:  # whatever a broken file does to a reader, the other messages are read
            reason = str(error) if isinstance(error, Unreadable) else f"cannot be read: {type(error).__name__}: {error}"
            file.skip(f"attachment {name} of {message.id}: {reason}")


def _is_attachment(part: Message) -> bool:
    return not part.is_multipart() and bool(part.get_filename() or part.get_content_disposition() == "attachment")


def _read_attachment(file: Input) -> Iterator[Document]:
    from vicinal.corpus._formats import FORMATS, OTHER

    format = FORMATS.get(PurePath(file.name).suffix.lower(), OTHER)
    head = look_ahead(file)
    if not head:
        raise Unreadable("empty")
    if format.is_text and sniff(head) is None:
        raise Unreadable("binary, not text")
    yield from format.read(file)


def _document(data: bytes, file: Input, number: int | None = None) -> tuple[EmailMessage, Document]:
    from email import message_from_bytes, policy

    mail = message_from_bytes(data, policy=policy.default)
    if number is None and not mail.keys():
        raise Unreadable("not a mail message: it has no headers")
    document = file.document(
        text=_body(mail, file),
        title=_header(mail, "subject"),
        row=number,
        id=_header(mail, "message-id").strip("<> \t") if number is not None else "",
        metadata=_metadata(mail),
    )
    return mail, document


def _metadata(mail: EmailMessage) -> dict[str, Scalar]:
    found: dict[str, Scalar] = {"from": _header(mail, "from"), "date": _date(_header(mail, "date"))}
    return {name: value for name, value in found.items() if value}


def _header(mail: EmailMessage, name: str) -> str:
    """A header as text: unparsed where it is too long or cannot be parsed."""
    raw = next((str(value) for key, value in mail.raw_items() if key.lower() == name), "")
    if len(raw) <= _LONGEST_HEADER:
        try:
            return str(mail[name] or "")
        except Exception:  # the standard parser fails on some headers in many ways
            return raw
    return raw[:_LONGEST_HEADER]


def _date(header: str) -> str:
    from email.utils import parsedate_to_datetime

    try:
        return parsedate_to_datetime(header).isoformat()
    except (ValueError, TypeError, IndexError, OverflowError):
        return header


def _body(mail: EmailMessage, file: Input) -> str:
    """All plain text that is not an attachment; the text of the HTML parts where there is none."""
    texts: dict[str, list[str]] = {"text/plain": [], "text/html": []}
    for part in mail.walk():
        kind = part.get_content_type()
        if kind in texts and part.get_content_disposition() != "attachment" and not part.get_filename():
            texts[kind].append(_part(part, file))
    plain = [text for text in texts["text/plain"] if text.strip()]
    return "\n\n".join(plain or [visible_text(page)[0] for page in texts["text/html"]])


def _part(part: Message, file: Input) -> str:
    payload = part.get_payload(decode=True)
    if not isinstance(payload, bytes):
        return ""
    try:
        hint = part.get_content_charset()
        stated = hint if hint and hint not in {"us-ascii", "utf-8"} and payload.decode(hint) is not None else None
    except (LookupError, ValueError):
        stated = None
    return decode(payload, file.tally, stated)
