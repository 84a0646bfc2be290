"""The process that extracts the text of one PDF or Word document: file on standard input, title and text on standard output.

Its time, memory and output are limited, and it may use neither the network nor other programs; beyond that it is ended,
and the document is skipped.
"""

from __future__ import annotations

import io
import signal
import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from types import ModuleType

#: What Python tells before it uses the network or another program.
_FORBIDDEN = ("socket.", "subprocess.", "os.system", "os.exec", "os.posix_spawn", "os.fork")


class TooMuch(Exception):
    """More text than a file of this size can hold."""


def confine(seconds: int, memory: int) -> None:
    """Limit the time and memory of this process, and forbid it the network and other programs."""
    try:
        import resource
    except ImportError:  # not on every system; the caller has a time limit as well
        pass
    else:
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        confine_memory(memory)
    if hasattr(signal, "alarm"):  # also ends a process whose parent is gone
        signal.alarm(4 * seconds + 10)
    sys.addaudithook(forbid())


def confine_memory(memory: int) -> None:
    """Limit the address space of this process, where the system can; a later call may lift the limit."""
    try:
        import resource
    except ImportError:
        return
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (memory if hard == resource.RLIM_INFINITY else min(memory, hard), hard))


def forbid(unless: Callable[[tuple[object, ...]], bool] = lambda arguments: False) -> Callable[[str, tuple[object, ...]], None]:
    """A hook that refuses the network and other programs, but those whose arguments are as ``unless`` allows."""

    def refuse(event: str, arguments: tuple[object, ...]) -> None:
        """Refuse an event of Python's audit that a reader of files has no need of."""
        if event.startswith(_FORBIDDEN) and not unless(arguments):
            raise PermissionError(f"{event} is not allowed here")

    return refuse


def from_pdf(data: bytes, pypdf: ModuleType) -> Iterator[str]:
    """The title on the first line, and then the text of each page, with a form feed between two."""
    reader = pypdf.PdfReader(io.BytesIO(data))
    yield one_line(getattr(reader.metadata, "title", None))
    for number, page in enumerate(reader.pages):
        yield ("\f" if number else "") + (page.extract_text() or "")


def from_pdfium(data: bytes, pypdfium2: ModuleType) -> Iterator[str]:
    """The same by pypdfium2, which writes no hyphen where one divides a word at the end of a line, but a mark."""
    document = pypdfium2.PdfDocument(data)
    yield one_line(document.get_metadata_value("Title"))
    for number in range(len(document)):
        page = document[number]
        text = page.get_textpage().get_text_bounded().replace("\r\n", "\n").replace("\r", "\n")
        page.close()
        yield ("\f" if number else "") + text.replace("\x02", "-\n").replace("\ufffe", "-\n")


def from_docx(data: bytes, library: ModuleType) -> Iterator[str]:
    """The title on the first line, and then each paragraph and each row of each table."""
    document = library.Document(io.BytesIO(data))
    yield one_line(document.core_properties.title)
    for paragraph in document.paragraphs:
        yield paragraph.text
    for table in document.tables:
        for row in table.rows:
            yield "\t".join(cell.text for cell in row.cells)


def one_line(title: object) -> str:
    """A title on one line, since the first line of the output is the title."""
    return " ".join(title.split()) if isinstance(title, str) else ""


EXTRACTORS: dict[str, Callable[[bytes, ModuleType], Iterator[str]]] = {
    "pypdfium2": from_pdfium,
    "pypdf": from_pdf,
    "docx": from_docx,
}


def main(module: str, seconds: str, memory: str, most: str) -> int:
    """Extract the text of standard input; return 0, or 1 with one line on standard error."""
    data = sys.stdin.buffer.read()
    confine(int(seconds), int(memory))
    try:
        written = 0
        for part in EXTRACTORS[module](data, import_module(module)):
            piece = f"{part}\n".encode("utf-8", "replace")
            written += len(piece)
            if written > int(most):
                raise TooMuch(f"more text than {int(most):,} bytes")
            sys.stdout.buffer.write(piece)
        sys.stdout.buffer.flush()
    except BaseException as error:
        sys.stderr.write(f"{type(error).__name__}: {' '.join(str(error).split())[:300]}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
