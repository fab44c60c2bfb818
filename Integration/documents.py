"""Documents in a real browser: what `pavise document convert` writes runs nothing and asks nobody for anything.

Each vector of Tests/DocumentsTests/Vectors.swift is opened twice: as it is, which shows that it does something in a browser,
and as the page that is made of it. Skipped where there is no Chromium. Names that a browser asks for ahead of time are not
seen here: a page has no address in it but as text, which the tests of the alphabet show.
"""

import json
import pathlib
import re
import time

from chromium import Chromium, missing
from stories import expect, story

VECTORS = pathlib.Path(__file__).resolve().parent.parent / "Tests/DocumentsTests/Vectors.swift"


class Watched(Chromium):
    """A browser whose events are kept."""

    def __init__(self, folder, spki):
        self.events = []
        super().__init__(folder, spki)

    def read(self):
        message = super().read()
        if "method" in message:
            self.events.append(message)
        return message

    def open(self, session, path, pause):
        """Opens a file, and tells what it did: requests but for itself, and dialogs."""
        self.ask("Page.navigate", session, url="about:blank")
        self.events.clear()
        address = path.as_uri()
        self.ask("Page.navigate", session, url=address)
        end = time.monotonic() + pause
        while time.monotonic() < end:
            # An answer to a question: the events before it have come, too.
            self.ask("Target.getTargets")
            for event in self.events:
                if event["method"] == "Page.javascriptDialogOpening" and not event.get("closed"):
                    event["closed"] = True
                    self.ask("Page.handleJavaScriptDialog", session, accept=True)
            time.sleep(0.02)
        return [event["params"] for event in self.events if event["method"] == "Page.javascriptDialogOpening"
                or event["method"] == "Network.requestWillBeSent"
                and not event["params"]["request"]["url"].startswith((address, "data:", "about:"))]


def vectors():
    return re.findall(r'^        #"(.*)"#,$', VECTORS.read_text(), re.M)


@story("documents that load, run or leave something in a browser do nothing as pages")
def documents(stage):
    if missing():
        return stage.skip(missing())
    found = vectors()
    assert len(found) == 63, len(found)
    folder = stage.folder / "documents"
    folder.mkdir()
    browser = Watched(stage.folder, stage.spki)
    try:
        target = browser.ask("Target.createTarget", url="about:blank")["targetId"]
        session = browser.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Network"):
            browser.ask(f"{domain}.enable", session)
        alone, silent, told = 0, [], []
        for number, vector in enumerate(found):
            document, page = folder / f"{number}.html", folder / f"{number}-page.html"
            document.write_text("<!DOCTYPE html>" + vector)
            expect(stage.program.run("document", "convert", str(document), str(page)), 0)
            if browser.open(session, document, 0.3):
                alone += 1
            else:
                silent.append(number)
            told += [(number, what) for what in browser.open(session, page, 0.1)]
        # Some act only through the network's own ways (names, connections), or in other browsers.
        assert alone >= 40, f"only {alone} vectors do anything unprotected: {silent}"
        assert not told, json.dumps(told)[:2000]
        stage.note(f"{alone} of {len(found)} vectors act unprotected, none as a page")
    finally:
        browser.stop()
