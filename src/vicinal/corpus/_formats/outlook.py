"""Outlook: a message in a file of its own kind (msg), read by python-oxmsg as if it were mail."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from typing import TYPE_CHECKING, Any

from vicinal.corpus._decode import sniff
from vicinal.corpus._document import Document
from vicinal.corpus._formats.input import Input, look_ahead
from vicinal.corpus._formats.mail import documents_of_message
from vicinal.corpus._formats.plain import plain
from vicinal.corpus._read_report import Unreadable

if TYPE_CHECKING:
    from email.message import EmailMessage

_MAGIC = b"\xd0\xcf\x11\xe0"


def outlook(file: Input) -> Iterator[Document]:
    """Read a message of Outlook and its attachments, if python-oxmsg is installed; a text that only has the ending is text."""
    head = look_ahead(file)
    if not head.startswith(_MAGIC) and sniff(head) is not None:
        yield from plain(file)
        return
    try:
        library: Any = import_module("oxmsg")
    except ImportError:
        raise Unreadable("messages of Outlook need python-oxmsg, which is not installed: pip install vicinal[read]") from None
    try:
        found = library.Message.load(file.data())
    except (ValueError, OSError) as error:
        raise Unreadable(f"not a message of Outlook: {error}") from None
    yield from documents_of_message(_mail(found, file).as_bytes(), file)


def _mail(found: Any, file: Input) -> EmailMessage:
    from email.message import EmailMessage

    mail = EmailMessage()
    mail["Subject"] = _one_line(found.subject)
    if found.sender:
        mail["From"] = _one_line(found.sender)
    if found.sent_date is not None:
        mail["Date"] = found.sent_date
    body, page = found.body, found.html_body if not found.body else None
    mail.set_content(body or page or "", subtype="html" if page else "plain")
    for number, each in enumerate(found.attachments, start=1):
        name = each.file_name or f"attachment {number}"
        data = each.file_bytes if each.attached_by_value else None
        if data is None:
            file.skip(f"attachment {name}: it is not in the file")
        else:
            mail.add_attachment(data, maintype="application", subtype="octet-stream", filename=_one_line(name))
    return mail


def _one_line(text: str) -> str:
    return " ".join(text.split())
