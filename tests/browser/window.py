"""A window of the browser, with what the tests do in it, and a watch over what it must never do."""

from __future__ import annotations

import io
import re

import numpy as np
from PIL import Image

SECONDS = 60_000  # of milliseconds: a machine that does much else at once is slow, not wrong
LARGE, SMALL = {"width": 1200, "height": 760}, {"width": 390, "height": 800}
#: Waits for frames, and goes to an address by way of an empty one, so that nothing of the view before is left.
FRAMES = "async (count) => { for (let i = 0; i < count; i++) await new Promise((done) => requestAnimationFrame(done)); }"
GO = """async (address) => {
    const changed = () => new Promise((done) => window.addEventListener('hashchange', done, {once: true}));
    for (const each of ['#add?where=nowhere', address]) {
        if (location.hash === each) continue;
        const waiting = changed();
        location.hash = each;
        await waiting;
        for (let i = 0; i < 2; i++) await new Promise((done) => requestAnimationFrame(done));
    }
}"""


class Window:
    """A window that is let in.

    Parameters
    ----------
    browser : Browser
    origin : str
        The address of the server.
    state : dict
        The cookies of a browser that was let in.
    """

    def __init__(self, browser, origin, state, **options):
        self.origin = origin
        self.context = browser.new_context(
            viewport=options.pop("viewport", LARGE), storage_state=state, accept_downloads=True, **options
        )
        self.context.set_default_timeout(SECONDS)
        self.page = self.context.new_page()
        self.strangers, self.dialogs, self.errors = [], [], []
        self.context.on("request", self._asked)
        self.page.on("dialog", lambda dialog: (self.dialogs.append(dialog.message), dialog.dismiss()))
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("console", self._said)

    def _asked(self, request):
        if not request.url.startswith((self.origin, "data:", "blob:", "about:")):
            self.strangers.append(request.url)

    def _said(self, message):
        if message.type == "error" and re.search("Content.Security.Policy|Uncaught|WebGL", message.text):
            self.errors.append(message.text)

    def go(self, address="#clusters", *, drawn=True, fresh=False):
        """Open a view, by its address; the page is loaded where it is not there yet, or where it must be fresh."""
        if not fresh and self.page.url.startswith(self.origin):
            self.page.evaluate(GO, address)
        else:
            self.page.goto("about:blank")
            self.page.goto(f"{self.origin}/{address}")
        self.page.locator("[data-testid=about]").wait_for(state="attached")
        if drawn:
            self.page.wait_for_selector("[data-testid=stage][data-drawn]:not([data-drawn='0'])")
        return self.page

    def frames(self, count=3):
        """Wait until so many frames were drawn."""
        self.page.evaluate(FRAMES, count)

    def view(self, address):
        """Go to another view without loading the page anew."""
        self.page.evaluate("hash => { location.hash = hash; }", address)
        return self.page

    def drawn(self):
        """What is on the map: points, names, and by what they are drawn."""
        return self.page.evaluate("() => ({...document.querySelector('[data-testid=stage]').dataset})")

    def colored(self, layer):
        """How many pixels of a layer of the map, other than that of WebGL, are not empty."""
        return self.page.evaluate(
            """name => {
                const from = document.querySelector(`.stage canvas.${name}`), to = document.createElement('canvas');
                to.width = from.width; to.height = from.height;
                const pen = to.getContext('2d');
                pen.drawImage(from, 0, 0);
                return pen.getImageData(0, 0, to.width, to.height).data.filter((value, i) => i % 4 === 3 && value > 20).length;
            }""",
            layer,
        )

    def ink(self, box=None):
        """How many pixels of the map, or of a box of the page, have a colour that is not grey as they are seen."""
        box = box or self.page.locator("[data-testid=stage]").bounding_box()
        self.frames()
        seen = Image.open(io.BytesIO(self.page.screenshot(clip=box))).convert("RGB")
        pixels = np.asarray(seen, dtype=np.int16)
        return int((pixels.max(axis=2) - pixels.min(axis=2) > 60).sum())

    def api(self, method, path, body=None):
        """Ask the server something from within the page, as the page would."""
        return self.page.evaluate(
            """async ([method, path, body]) => {
                const init = {method, headers: {'Content-Type': 'application/json'}};
                if (body !== null) init.body = JSON.stringify(body);
                const answer = await fetch('api/v1' + path, init);
                if (!answer.ok) throw new Error(await answer.text());
                return answer.status === 204 ? null : await answer.json();
            }""",
            [method, path, body],
        )

    def drop(self, name, text):
        """Drop a file on the page."""
        self.page.evaluate(
            """([name, text]) => {
                const held = new DataTransfer(), how = {dataTransfer: held, bubbles: true, cancelable: true};
                held.items.add(new File([text], name, {type: 'text/plain'}));
                for (const kind of ['dragover', 'drop']) window.dispatchEvent(new DragEvent(kind, how));
            }""",
            [name, text],
        )

    def was_quiet(self):
        """It must have been quiet until now."""
        seen = self.strangers[:], self.dialogs[:], self.errors[:]
        for each in (self.strangers, self.dialogs, self.errors):
            each.clear()
        assert seen == ([], [], [])

    def close(self):
        """Close it; it must have been quiet."""
        self.context.close()
        self.was_quiet()
