"""A person's browser: opens the sign-in page, types name and password, follows the way back. Chromium does it where LAB_BROWSER says so
and where it is installed; plain requests elsewhere."""

import os
import pathlib
import shutil
import ssl
import sys
import tempfile
import types
import urllib.error
import urllib.parse
import urllib.request

PERSON = {"username": "alice", "password": "wonderland"}


class Stay(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_):
        return None


def in_chromium(address):
    sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "Integration"))
    from chromium import Page
    with tempfile.TemporaryDirectory() as folder, Page(types.SimpleNamespace(folder=folder, spki=os.environ["LAB_PIN"])) as page:
        page.go(address)
        page.submit(**PERSON)
        # The app's own page, on loopback, is the end of the way.
        while "Page.loadEventFired" not in page.chromium.read().get("method", ""):
            pass
        (pathlib.Path.home() / "browser.log").write_text(f"Chromium ended at {page.run('location.host')}")


def by_requests(address):
    context = ssl.create_default_context(cafile=os.environ["LAB_ANCHORS"])
    opener = urllib.request.build_opener(urllib.request.HTTPSHandler(context=context), Stay())
    page = opener.open(address, timeout=20).read().decode()
    assert "password" in page, "no sign-in page"
    try:
        opener.open(address, data=urllib.parse.urlencode(PERSON).encode(), timeout=20)
        raise SystemExit("no way back")
    except urllib.error.HTTPError as answer:
        assert answer.code == 302, answer.code
        back = answer.headers["Location"]
    urllib.request.urlopen(back, timeout=20).read()


if __name__ == "__main__":
    is_real = os.environ.get("LAB_BROWSER") == "chromium" and shutil.which("chromium")
    (in_chromium if is_real else by_requests)(sys.argv[1])
