"""Canaille: messy in realistic ways, and a session comes through all of them."""

import functools
import json
import shutil
import time
import urllib.parse

import packages
from program import SignIn
from servers import Refused
from stories import expect, story


def canaille_story(sentence):
    """A story that gets the server too, and is skipped where its packages are not installed."""
    def add(function):
        @functools.wraps(function)
        def played(stage):
            if packages.missing():
                return stage.skip(packages.missing())
            function(stage, stage.canaille.ready())
        return story("Canaille: " + sentence)(played)
    return add


def start(stage, canaille, name="mess", client="pavise"):
    attempt = SignIn(
        stage.program, canaille.url, "--name", name, "--client-id", client, "--port", str(canaille.redirect_port),
        "--approve-certificate", stage.spki)
    assert attempt.page, attempt.end()
    return attempt


def connect(stage, canaille, name="mess"):
    next_second()
    attempt = start(stage, canaille, name)
    canaille.person.complete(attempt.page)
    status, _, said = attempt.end()
    assert status == 0, said


def fetch(program):
    return program.run("fetch", "mess", "/oauth/userinfo")


def next_second():
    """Its access tokens are all the same within one second, and it takes no two that are."""
    time.sleep(1.02 - time.time() % 1)


def refreshes(canaille, status=""):
    return canaille.gate.count(f"POST /oauth/token {status}")


@canaille_story("three pages lead in, and the session holds")
def sign_in(stage, canaille):
    connect(stage, canaille)
    expect(fetch(stage.program), 0, "ada")


@canaille_story("an id_token signed with RS512, by the server's own choice too, is refused where RS256 was agreed, and nothing is kept")
def other_algorithm(stage, canaille):
    for client in ("pavise-silent", "pavise-rs512"):
        next_second()
        before = refreshes(canaille, "200")
        attempt = start(stage, canaille, name="strange", client=client)
        canaille.person.complete(attempt.page)
        status, _, said = attempt.end()
        assert status == 3 and "algorithm" in said, said
        # Its access tokens are signed as its id_tokens are.
        assert refreshes(canaille, "200") == before + 1 and canaille.newest_header()["alg"] == "RS512"
        assert "strange" not in stage.program.run("connections", "--json").stdout


@canaille_story("it does not demand PKCE, and a stolen code is worth nothing all the same")
def stolen_code(stage, canaille):
    next_second()
    attempt = start(stage, canaille)
    parameters = attempt.parameters
    assert parameters["code_challenge_method"] == "S256", parameters
    without = {name: value for name, value in parameters.items() if not name.startswith("code_challenge")}
    assert "code=" in canaille.person.approve("/oauth/authorize?" + urllib.parse.urlencode(without))
    callback = canaille.person.approve(attempt.page)
    code = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(callback).query))["code"]
    form = {"grant_type": "authorization_code", "code": code, "client_id": "pavise",
            "redirect_uri": parameters["redirect_uri"]}
    for guess in ({}, {"code_verifier": "a" * 43}):
        try:
            canaille.person.browser.send_form("/oauth/token", form | guess)
            raise AssertionError("a thief exchanged the code")
        except Refused as refusal:
            assert "400" in str(refusal), refusal
    canaille.person.browser.send("GET", callback)
    status, _, said = attempt.end()
    assert status == 0, said


@canaille_story("HTTP 500 at the second token within a second: the session stays, and the next refresh works")
def same_second(stage, canaille):
    names = ("mess", "mess2")
    for name in names:
        connect(stage, canaille, name)
    refusals = refreshes(canaille, "500")
    waiting = []
    for name in names:
        canaille.refuse_token()
        hold = canaille.gate.hold_next("/oauth/token", answered=False)
        waiting.append((name, stage.program.start("fetch", name, "/oauth/userinfo"), hold))
        hold.wait()
    next_second()
    for _, _, hold in waiting:
        hold.pass_on()
    ended = {name: (process.communicate(timeout=60)[1], process.returncode) for name, process, _ in waiting}
    assert sorted(status for _, status in ended.values()) == [0, 1], ended
    name, said = next((name, said) for name, (said, status) in ended.items() if status == 1)
    assert "out of order" in said and "You stay signed in" in said and refreshes(canaille, "500") > refusals, said
    rows = json.loads(stage.program.run("connections", "--json").stdout)["connections"]
    assert all(row["state"] == "signed in" for row in rows if row["name"] in names), rows
    next_second()
    renewed = refreshes(canaille, "200")
    # The journal says that a refresh may have been lost: it is repeated before anything else.
    expect(stage.program.run("fetch", name, "/oauth/userinfo"), 0, "ada")
    assert refreshes(canaille, "200") == renewed + 1
    expect(stage.program.run("disconnect", "mess2"), 0)


@canaille_story("an old token that a second copy of the store replays is refused, and the session goes on")
def replay(stage, canaille):
    copy = stage.folder / "replay-mess"
    shutil.copytree(stage.program.home, copy)
    next_second()
    canaille.refuse_token()
    expect(fetch(stage.program), 0, "ada")
    canaille.refuse_token()
    expect(fetch(stage.with_home(copy)), 4, "the server ended the session")
    next_second()
    expect(fetch(stage.program), 0, "ada")


@canaille_story("a refresh token ends together with its access token: too late is a sign-in again, and data stay")
def too_late(stage, canaille):
    expect(stage.program.run("keychain", "add", "beside", "ada", text="canary-value\n"), 0)
    canaille.end_tokens()
    expect(fetch(stage.program), 4, "the server ended the session", "Local data was kept")
    expect(stage.program.run("keychain", "get", "beside", "ada"), 0, "canary-value")
    expect(stage.program.run("keychain", "delete", "beside", "ada"), 0)
    connect(stage, canaille)


@canaille_story("it answers 401 to a public client's revocation; disconnect wipes all the same, and says so")
def revocation(stage, canaille):
    before, live = folders(stage), canaille.live_tokens()
    assert live > 0
    report = json.loads(expect(stage.program.run("disconnect", "mess", "--json"), 0).stdout)
    assert report["wiped"] is True and report["revocation"] == "failed", report
    assert canaille.gate.count("POST /oauth/revoke 401") > 0, canaille.gate.seen[-4:]
    # What is left at the server ends by its own time.
    assert canaille.live_tokens() == live
    assert folders(stage) == before - 1, "a folder is left"


def folders(stage):
    return len(list((stage.program.home / "connections").glob("*-*")))
