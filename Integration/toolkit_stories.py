"""django-oauth-toolkit: any loopback port, rotation without and with a grace window, reuse, kills, revocation."""

import contextlib
import fcntl
import functools
import json
import shutil
import time

import chromium
import packages
from program import SignIn
from stories import expect, story

GRACE = 10


def toolkit_story(sentence):
    """A story that gets the server too, and is skipped where its packages are not installed."""
    def add(function):
        @functools.wraps(function)
        def played(stage):
            if packages.missing():
                return stage.skip(packages.missing())
            function(stage, stage.toolkit.ready())
        return story(sentence)(played)
    return add


def connect(stage, toolkit, program=None, name="kit"):
    """Signs in with plain requests, and gives the redirect address that was used."""
    attempt = start(stage, toolkit, program, name)
    toolkit.person.complete(attempt.page)
    status, _, said = attempt.end()
    assert status == 0, said
    return attempt.parameters["redirect_uri"]


def start(stage, toolkit, program=None, name="kit"):
    attempt = SignIn(
        program or stage.program, toolkit.url, "--name", name, "--issuer", toolkit.issuer, "--approve-certificate", stage.spki)
    assert attempt.page, attempt.end()
    return attempt


def fetch(program, name="kit"):
    return program.run("fetch", name, "/o/userinfo/")


def refreshes(toolkit):
    return toolkit.gate.count("POST /o/token/")


@toolkit_story("django-oauth-toolkit: code with PKCE signs in on three loopback ports")
def three_ports(stage, toolkit):
    redirects = {connect(stage, toolkit) for _ in range(3)}
    assert len(redirects) == 3, redirects
    attempt = start(stage, toolkit, name="other")
    parameters = attempt.parameters
    assert parameters["code_challenge_method"] == "S256" and "code_challenge" in parameters, parameters
    toolkit.person.complete(attempt.page)
    expect(stage.program.run("disconnect", "other"), 0)
    assert json.loads(expect(fetch(stage.program), 0).stdout)["sub"]


@toolkit_story("django-oauth-toolkit: an answer that names another issuer is refused, and no code is exchanged")
def other_issuer(stage, toolkit):
    attempt = start(stage, toolkit, name="mixed")
    callback = toolkit.person.approve(attempt.page)
    assert "iss=" in callback, callback
    before = refreshes(toolkit)
    with contextlib.suppress(OSError):
        toolkit.person.browser.send("GET", callback.split("&iss=")[0] + "&iss=https%3A%2F%2Felsewhere.invalid")
    status, _, said = attempt.end()
    assert status != 0 and "issuer" in said, said
    assert refreshes(toolkit) == before


@toolkit_story("django-oauth-toolkit: a person fills in its sign-in page in Chromium, headless")
def browser(stage, toolkit):
    if chromium.missing():
        return stage.skip(chromium.missing())
    attempt = start(stage, toolkit)
    with chromium.Page(stage) as page:
        page.go(attempt.page)
        assert page.run("location.pathname") == "/admin/login/"
        page.submit(username=toolkit.user, password=toolkit.password)
        status, _, said = attempt.end()
    assert status == 0, said
    expect(fetch(stage.program), 0, "sub")


for grace in (0, GRACE):
    sentence = "without a grace window" if grace == 0 else f"with a grace window of {grace} s"

    @toolkit_story(f"django-oauth-toolkit {sentence}: three refreshes rotate the token, and one lives")
    def rotation(stage, toolkit, grace=grace):
        toolkit.serve(grace)
        connect(stage, toolkit)
        family = toolkit.newest_family()
        known = toolkit.tokens(family)
        assert len(known) == 1, len(known)
        for _ in range(3):
            before = refreshes(toolkit)
            toolkit.end_access_tokens()
            expect(fetch(stage.program), 0, "sub")
            assert refreshes(toolkit) == before + 1, toolkit.gate.seen[-6:]
            found = toolkit.tokens(family)
            assert found[:-1] == known and found[-1] not in known, "the refresh token was not rotated"
            assert toolkit.live(family) == 1, f"{toolkit.live(family)} refresh tokens of one sign-in live"
            known = found

    @toolkit_story(f"django-oauth-toolkit {sentence}: two processes at once share one refresh")
    def two_processes(stage, toolkit, grace=grace):
        toolkit.serve(grace)
        connect(stage, toolkit)
        toolkit.end_access_tokens()
        before = refreshes(toolkit)
        hold = toolkit.gate.hold_next("/o/token/")
        first = stage.program.start("fetch", "kit", "/o/userinfo/")
        hold.wait()
        second = stage.program.start("fetch", "kit", "/o/userinfo/")
        time.sleep(0.5)
        assert second.poll() is None, second.communicate()
        hold.pass_on()
        for process in (first, second):
            _, said = process.communicate(timeout=60)
            assert process.returncode == 0, said
        assert refreshes(toolkit) == before + 1, toolkit.gate.seen[-8:]

    @toolkit_story(f"django-oauth-toolkit {sentence}: a kill -9 at four steps of a refresh")
    def kills(stage, toolkit, grace=grace):
        toolkit.serve(grace)
        connect(stage, toolkit)
        expect(stage.program.run("keychain", "add", "beside", "ada", text="canary-value\n"), 0)
        # Until the server has rotated, and once the answer is stored, nothing can be lost.
        for point, is_safe in ((before_the_server, True), (before_the_answer, False), (before_the_store, False),
                               (after_the_store, True)):
            toolkit.end_access_tokens()
            point(stage, toolkit)
            before = refreshes(toolkit)
            if is_safe or grace > 0:
                expect(fetch(stage.program), 0, "sub")
                assert refreshes(toolkit) - before == (0 if point is after_the_store else 1), toolkit.gate.seen[-6:]
                continue
            expect(fetch(stage.program), 4, "the server's last answer was lost")
            connect(stage, toolkit)
        expect(stage.program.run("keychain", "get", "beside", "ada"), 0, "canary-value")
        expect(stage.program.run("keychain", "delete", "beside", "ada"), 0)

    @toolkit_story(f"django-oauth-toolkit {sentence}: a token that a second copy of the store replays ends the whole family")
    def reuse(stage, toolkit, grace=grace):
        toolkit.serve(grace)
        connect(stage, toolkit)
        copy = stage.folder / f"replay{grace}"
        shutil.copytree(stage.program.home, copy)
        family = toolkit.newest_family()
        toolkit.end_access_tokens()
        expect(fetch(stage.program), 0, "sub")
        assert toolkit.live(family) == 1
        toolkit.end_access_tokens()
        toolkit.age_rotations(grace + 1)
        expect(fetch(stage.with_home(copy)), 4, "the server ended the session")
        assert toolkit.live(family) == 0, "the replay did not end the family"
        expect(fetch(stage.program), 4, "the server ended the session")
        row = [row for row in connections(stage) if row["name"] == "kit"][0]
        assert row["state"] != "signed in", row


def connections(stage):
    return json.loads(stage.program.run("connections", "--json").stdout)["connections"]


def before_the_server(stage, toolkit):
    """Killed while the refresh is on its way."""
    hold = toolkit.gate.hold_next("/o/token/", answered=False)
    process = stage.program.start("fetch", "kit", "/o/userinfo/")
    hold.wait()
    kill(process)
    hold.drop()


def before_the_answer(stage, toolkit):
    """Killed when the server has rotated and its answer is on its way."""
    hold = toolkit.gate.hold_next("/o/token/")
    process = stage.program.start("fetch", "kit", "/o/userinfo/")
    hold.wait()
    kill(process)
    hold.drop()


def before_the_store(stage, toolkit):
    """Killed when the answer has come and the record could not be written yet: somebody holds the record's lock."""
    hold = toolkit.gate.hold_next("/o/token/")
    process = stage.program.start("fetch", "kit", "/o/userinfo/")
    hold.wait()
    with contextlib.ExitStack() as locks:
        for path in stage.program.home.glob("connections/*/record.lock"):
            fcntl.flock(locks.enter_context(open(path, "rb+")), fcntl.LOCK_EX)
        delivered = len(toolkit.front.delivered())
        hold.pass_on()
        wait_until(lambda: len(toolkit.front.delivered()) > delivered)
        kill(process)


def after_the_store(stage, toolkit):
    """Killed when the new record is stored and the request goes out again."""
    hold = toolkit.gate.hold_next("/o/token/")
    process = stage.program.start("fetch", "kit", "/o/userinfo/")
    hold.wait()
    again = toolkit.gate.hold_next("/o/userinfo/", answered=False)
    hold.pass_on()
    again.wait()
    kill(process)
    again.drop()


def kill(process):
    assert process.poll() is None, process.communicate()
    process.kill()
    process.communicate()


def wait_until(condition):
    deadline = time.monotonic() + 30
    while not condition():
        assert time.monotonic() < deadline, "it did not happen"
        time.sleep(0.02)


OPENID = "/o/.well-known/openid-configuration"
OAUTH = "/.well-known/oauth-authorization-server/o"


@contextlib.contextmanager
def without(toolkit, document):
    """As if the server had only one of its two metadata documents."""
    toolkit.gate.missing.add(document)
    try:
        yield
    finally:
        toolkit.gate.missing.clear()


def ends_both_tokens(stage, toolkit):
    family = toolkit.newest_family()
    access = toolkit.live_access_tokens()
    assert toolkit.live(family) == 1
    report = json.loads(expect(stage.program.run("disconnect", "kit", "--json"), 0).stdout)
    assert report["wiped"] is True and report["revocation"] == "done", report
    assert toolkit.live(family) == 0 and toolkit.live_access_tokens() == access - 1


@toolkit_story("django-oauth-toolkit: its OpenID document names no revocation, its OAuth document does; "
               "both tokens are dead at the server after a disconnect")
def both_documents(stage, toolkit):
    toolkit.serve(GRACE)
    documents = [json.loads(toolkit.person.browser.send("GET", place)[2]) for place in (OPENID, OAUTH)]
    assert ["revocation_endpoint" in document for document in documents] == [False, True], documents
    before = [toolkit.gate.count(f"GET {place} 200") for place in (OPENID, OAUTH)]
    connect(stage, toolkit)
    after = [toolkit.gate.count(f"GET {place} 200") for place in (OPENID, OAUTH)]
    assert after == [count + 1 for count in before], (before, after)
    ends_both_tokens(stage, toolkit)


@toolkit_story("django-oauth-toolkit: with its OpenID document alone, disconnect says that nothing can be revoked, and wipes")
def not_offered(stage, toolkit):
    with without(toolkit, OAUTH):
        connect(stage, toolkit)
        report = json.loads(expect(stage.program.run("disconnect", "kit", "--json"), 0).stdout)
    assert report["wiped"] is True and report["revocation"] == "notOffered", report


@toolkit_story("django-oauth-toolkit: found by its OAuth document alone, both tokens are dead at the server after a disconnect")
def revocation(stage, toolkit):
    with without(toolkit, OPENID):
        connect(stage, toolkit)
        ends_both_tokens(stage, toolkit)
