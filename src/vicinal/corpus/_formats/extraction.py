"""A process that extracts the text of one file: started, perhaps ahead of its turn, waited for, and ended beyond its limits."""

from __future__ import annotations

import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import IO, BinaryIO

from vicinal.corpus._files import Found, open_file, state
from vicinal.corpus._read_options import Limits
from vicinal.corpus._read_report import Unreadable

#: By ending, the modules that can extract the text, the best first, each with the name of its package.
EXTRACTED: dict[str, dict[str, str]] = {
    ".pdf": {"pypdfium2": "pypdfium2", "pypdf": "pypdf"},
    ".docx": {"docx": "python-docx"},
}
#: More bytes of text than this many times the size of the file are refused.
_RATIO = 200
_LEAST_OUTPUT = 1_000_000
#: How long a process may take by the clock: so many times its limit of processor time, and so many seconds more.
PATIENCE = (3.0, 10.0)
#: Signals that end a process which has used up its time.
_OUT_OF_TIME = (getattr(signal, "SIGXCPU", None), getattr(signal, "SIGKILL", None))
_PROGRAM = str(Path(__file__).with_name("extractor.py"))


def module_for(suffix: str) -> str:
    """The module that extracts the text of files with this ending; Unreadable where none is installed."""
    for module in EXTRACTED[suffix]:
        try:
            if find_spec(module) is not None:
                return module
        except ValueError:
            continue
    package = next(iter(EXTRACTED[suffix].values()))
    raise Unreadable(f"this type of file needs {package}, which is not installed: pip install vicinal[read]")


@dataclass
class Extraction:
    """A process at work on one file.

    Parameters
    ----------
    process : Popen
    output, errors : binary stream
        Files without a name that it writes to, so that it never waits for us.
    limits : Limits
    state : tuple or None
        Size and time of the last change of the file when it was opened.
    started : float
    """

    process: subprocess.Popen[bytes]
    output: IO[bytes]
    errors: IO[bytes]
    limits: Limits
    state: tuple[int, int] | None = None
    started: float = field(default_factory=time.monotonic)

    @property
    def is_running(self) -> bool:
        """Whether it has not ended."""
        return self.process.poll() is None

    def text(self) -> str:
        """Wait for the process, and return what it wrote; Unreadable says why there is nothing."""
        limits = self.limits
        patience = PATIENCE[0] * limits.extract_seconds + PATIENCE[1] - (time.monotonic() - self.started)
        try:
            code = self.process.wait(max(patience, 0.1))
            self.output.seek(0)
            self.errors.seek(0)
            output, errors = self.output.read(), self.errors.read()
        except subprocess.TimeoutExpired:
            raise Unreadable(f"extracting its text took too long and was stopped: {more_seconds(limits)}") from None
        finally:
            self.end()
        if code:
            raise Unreadable(f"its text could not be extracted: {_why(code, errors, limits)}")
        return output.decode("utf-8", "replace")

    def end(self) -> None:
        """End the process where it still runs, and forget what it wrote."""
        if self.is_running:
            self.process.kill()
            self.process.wait()
        self.output.close()
        self.errors.close()


def _why(code: int, errors: bytes, limits: Limits) -> str:
    lines = errors.decode("utf-8", "replace").strip().splitlines()
    if code > 0 and lines:
        return f"it exceeded its memory: {more_memory(limits)}" if lines[-1].startswith("MemoryError") else lines[-1]
    if -code in _OUT_OF_TIME:
        return f"it exceeded its time: {more_seconds(limits)}"
    return f"its reader crashed, or exceeded its time or memory: {more_memory(limits)}"


def more_seconds(limits: Limits) -> str:
    """Say which limit gives a file more processor time."""
    return f"Limits(extract_seconds={6 * limits.extract_seconds}) gives it more"


def more_memory(limits: Limits) -> str:
    """Say which limit gives a file more memory."""
    return f"Limits(extract_bytes={4 * limits.extract_bytes}) gives it more"


def is_extractor(arguments: tuple[object, ...]) -> bool:
    """Whether a process is started with these arguments (executable, command, …) to extract a text."""
    command = arguments[1] if len(arguments) > 1 else None
    return isinstance(command, list) and command[:3] == [sys.executable, "-P", _PROGRAM]


def start(stream: BinaryIO, size: int, module: str, limits: Limits) -> Extraction:
    """Start a process on a file; ``stream`` must be one of the operating system."""
    most = min(limits.document_bytes, max(_RATIO * size, _LEAST_OUTPUT))
    command = [sys.executable, "-P", _PROGRAM, module, str(limits.extract_seconds), str(limits.extract_bytes), str(most)]
    output, errors = tempfile.TemporaryFile(), tempfile.TemporaryFile()  # noqa: SIM115
    try:
        process = subprocess.Popen(command, stdin=stream, stdout=output, stderr=errors)
    except BaseException:
        output.close()
        errors.close()
        raise
    return Extraction(process, output, errors, limits)


def started_on(data: bytes, module: str, limits: Limits) -> Extraction:
    """Start a process on bytes that were read."""
    with tempfile.TemporaryFile() as stream:
        stream.write(data)
        stream.seek(0)
        return start(stream, len(data), module, limits)


def started_ahead(found: Found, limits: Limits) -> Extraction | None:
    """Start a process on a file whose turn has not come; None where that is for the reading itself to do or to refuse."""
    suffix = found.path.suffix.lower()
    if suffix not in EXTRACTED:
        return None
    try:
        module, stream = module_for(suffix), open_file(found)
    except Unreadable:
        return None
    with stream:
        before = state(stream)
        if before is None or before[0] > limits.document_bytes:
            return None
        running = start(stream, before[0], module, limits)
    running.state = before
    return running
