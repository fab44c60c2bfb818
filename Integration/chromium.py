"""Sign-ins in a real browser: headless Chromium, driven through its debugging pipe. Skipped where there is none."""

import json
import os
import shutil
import subprocess

from program import SignIn
from stories import connect_words, expect, story


class Chromium:
    """A headless browser in a folder of its own. Requests go in and answers come out as JSON, each ended by a zero byte."""

    def __init__(self, folder, spki, flags=()):
        down_read, self.down = os.pipe()
        self.up, up_write = os.pipe()
        words = [
            shutil.which("chromium"), "--headless=new", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe",
            f"--user-data-dir={folder}/chromium", f"--ignore-certificate-errors-spki-list={spki}", *flags, "about:blank"]

        def place():
            # The browser reads descriptor 3 and writes descriptor 4; both may be in use by the pipes themselves.
            reading, writing = os.dup(down_read), os.dup(up_write)
            high_read, high_write = os.dup2(reading, 103), os.dup2(writing, 104)
            os.dup2(high_read, 3)
            os.dup2(high_write, 4)

        self.process = subprocess.Popen(
            words, close_fds=False, preexec_fn=place, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)
        os.close(down_read)
        os.close(up_write)
        self.count, self.rest = 0, b""

    def ask(self, method, session=None, **parameters):
        self.count += 1
        message = {"id": self.count, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        os.write(self.down, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.read()
            if answer.get("id") == self.count:
                assert "error" not in answer, answer
                return answer["result"]

    def read(self):
        while b"\0" not in self.rest:
            more = os.read(self.up, 65536)
            assert more, "the browser went away"
            self.rest += more
        line, self.rest = self.rest.split(b"\0", 1)
        return json.loads(line)

    def stop(self):
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


class Page:
    """One page of a browser that leaves with the block that uses it."""

    def __init__(self, stage):
        self.chromium = Chromium(stage.folder, stage.spki)

    def __enter__(self):
        try:
            target = self.chromium.ask("Target.createTarget", url="about:blank")["targetId"]
            self.session = self.chromium.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
            self.chromium.ask("Page.enable", self.session)
        except BaseException:
            # The block is not entered, and so not left.
            self.chromium.stop()
            raise
        return self

    def __exit__(self, *_):
        self.chromium.stop()

    def go(self, url):
        """Goes to an address and waits for the page."""
        self.chromium.ask("Page.navigate", self.session, url=url)
        while "Page.loadEventFired" not in self.chromium.read().get("method", ""):
            pass

    def leave(self, url):
        """Goes to an address, and waits for nothing."""
        self.chromium.ask("Page.navigate", self.session, url=url)

    def run(self, script):
        """Runs `script` in the page and waits for what it promises."""
        answer = self.chromium.ask(
            "Runtime.evaluate", self.session, expression=script, awaitPromise=True, returnByValue=True)
        assert "exceptionDetails" not in answer, answer
        return answer["result"].get("value")

    def submit(self, **fields):
        """Fills in the page's form as a person does, and sends it."""
        self.run("".join(f"document.querySelector('[name={name}]').value = {json.dumps(value)};"
                         for name, value in fields.items())
                 + f"document.querySelector('[name={next(iter(fields))}]').form.submit()")


def missing():
    """Why there is no browser, or nothing."""
    return None if shutil.which("chromium") else "no chromium is installed; plain requests played its part"


def request(method, path, content):
    return (f"fetch('{path}', {{method: '{method}', headers: {{'Content-Type': 'application/json'}}, "
            f"body: JSON.stringify({json.dumps(content)})}}).then(answer => answer.status)")


@story("a real browser signs in: Chromium, headless")
def browser(stage):
    if missing():
        return stage.skip(missing())
    attempt = SignIn(stage.program, *connect_words(stage), "--approve-certificate", stage.spki)
    assert attempt.page, attempt.end()
    with Page(stage) as page:
        page.go(f"{stage.url}/healthz")
        user = {"username": stage.glewlwyd.user, "password": stage.glewlwyd.password}
        assert page.run(request("POST", "/api/auth/", user)) == 200
        assert page.run(request("PUT", "/api/auth/grant/pavise/", {"scope": "openid"})) == 200
        page.leave(attempt.page + "&g_continue=")
        status, _, said = attempt.end()
    assert status == 0, said
    expect(stage.program.run("fetch", "work", "/api/app/userinfo"), 0, "sub")
    expect(stage.program.run("disconnect", "work"), 0)
