"""The entry page: a file that only its owner reads leads the browser to a link, so that no list of processes shows the link."""

from __future__ import annotations

import os
import shutil
import tempfile
import webbrowser
from contextlib import AbstractContextManager
from pathlib import Path
from typing import final

from vicinal._page_elements import element

NAME = "vicinal.html"


@final
class EntryPage(AbstractContextManager["EntryPage"]):
    """A page in a folder of its own, which is there until the link was used or the server ends.

    A browser is started with what it opens among its arguments, and any user of the machine can list those.
    """

    def __init__(self) -> None:
        self._folder: Path | None = None

    def show(self, link: str) -> None:
        """Open a link in the browser of this machine."""
        self._folder = Path(tempfile.mkdtemp(prefix="vicinal-"))
        file = self._folder / NAME
        with open(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as page:
            page.write(page_for(link))
        webbrowser.open(file.as_uri())

    def remove(self) -> None:
        """Take the page away."""
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)
            self._folder = None

    def __exit__(self, *_: object) -> None:
        self.remove()


def page_for(link: str) -> str:
    """A page that goes on to a link at once, and shows it where the browser does not."""
    head = element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", name="referrer", content="no-referrer"),
        element("meta", http_equiv="refresh", content=f"0; url={link}"),
        element("title", "vicinal"),
    )
    return f"<!doctype html>{element('html', head, element('body', element('a', 'Open the index', href=link)), lang='en')}\n"
