"""A person's browser, for a desktop without one: opens the sign-in page, types name and password, follows the way back."""

import os
import ssl
import sys
import urllib.error
import urllib.parse
import urllib.request


class Stay(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_):
        return None


def main(address):
    context = ssl.create_default_context(cafile=os.environ["LAB_ANCHORS"])
    opener = urllib.request.build_opener(urllib.request.HTTPSHandler(context=context), Stay())
    page = opener.open(address, timeout=20).read().decode()
    assert "password" in page, "no sign-in page"
    form = urllib.parse.urlencode({"username": "alice", "password": "wonderland"}).encode()
    try:
        opener.open(address, data=form, timeout=20)
        raise SystemExit("no way back")
    except urllib.error.HTTPError as answer:
        assert answer.code == 302, answer.code
        back = answer.headers["Location"]
    urllib.request.urlopen(back, timeout=20).read()


if __name__ == "__main__":
    main(sys.argv[1])
