"""Files whose ending says nothing: a mail message where the first lines are the headers of one, else plain text.

Folders of mail (Maildir), news spools and archives of lists keep each message in a file without an ending, and their headers are
no words of the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from vicinal.corpus._document import Document
from vicinal.corpus._formats.input import Input, look_ahead
from vicinal.corpus._formats.mail import message
from vicinal.corpus._formats.plain import plain

#: Headers that messages have and other texts seldom begin with; a message has one of the first two, and two in all.
_AUTHOR_OR_SUBJECT = frozenset({b"from", b"subject"})
_OF_MAIL = _AUTHOR_OR_SUBJECT | {
    b"date",
    b"delivered-to",
    b"message-id",
    b"newsgroups",
    b"path",
    b"received",
    b"return-path",
    b"to",
    b"xref",
}
_HEADER = re.compile(rb"([!-9;-~]{1,100}):(?:[ \t]|$)")


def unnamed(file: Input) -> Iterator[Document]:
    """Read a file of no known ending."""
    return message(file) if is_message(look_ahead(file)) else plain(file)


def is_message(head: bytes) -> bool:
    """Whether a file that begins with these bytes is a mail message: headers alone before the first blank line."""
    block = re.split(rb"\r?\n[ \t]*\r?\n", head, maxsplit=1)[0]
    names: set[bytes] = set()
    for line in block.splitlines():
        header = _HEADER.match(line)
        if header is not None:
            names.add(header[1].lower())
        elif not names or line[:1] not in {b" ", b"\t"}:
            return False
    return bool(names & _AUTHOR_OR_SUBJECT) and len(names & _OF_MAIL) >= 2
