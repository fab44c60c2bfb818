"""Documents in a real browser: what `pavise document convert` writes runs nothing and asks nobody for anything.

Each vector of Tests/DocumentsTests/Vectors.swift is opened twice: as it is, which shows that it does something in a browser,
and as the page that is made of it. Skipped where there is no Chromium. Two vectors make a browser ask for a name or open a
connection ahead of time, and request nothing: they are shown by themselves with wires around the browser (corpora.py), where this
process may make a namespace.
"""

import json
import pathlib
import re
import subprocess
import sys
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
        answer = self.ask("Page.navigate", session, url=address)
        assert "errorText" not in answer, f"{path.name} was not opened: {answer['errorText']}"
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
            # The page has as long as the document, of which it is seen that this is enough.
            if browser.open(session, document, 0.3):
                alone += 1
            else:
                silent.append(number + 1)
            told += [(number, what) for what in browser.open(session, page, 0.3)]
        ahead = [number for number, vector in enumerate(found, 1) if re.search("rel=(dns-prefetch|preconnect)", vector)]
        assert silent == ahead, f"do nothing unprotected: {silent}; expected of {ahead} alone"
        assert not told, json.dumps(told)[:2000]
    finally:
        browser.stop()
    wired = subprocess.run(
        [sys.executable, str(pathlib.Path(__file__).with_name("corpora.py")), "--vectors", *map(str, ahead)],
        stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120)
    assert wired.returncode in (0, 77), wired.stdout + wired.stderr
    stage.note(f"{alone} of {len(found)} vectors request or run something unprotected, none as a page; "
               + (f"{len(ahead)} ask for a name or connect" if wired.returncode == 0 else "no namespace for wires: names are not seen"))
