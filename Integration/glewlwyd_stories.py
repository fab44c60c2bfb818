"""glewlwyd's own ways: its issuer parameter, pushed requests, refusals without a word, a family that ends at a replay, and
tokens bound to a key. Each instance of its plugin is an authority of its own."""

import contextlib
import json
import shutil
import sqlite3
import time
import urllib.parse

from program import Person, SignIn
from servers import Browser, Refused
from stories import expect, story


def start(stage, name="odd", instance="app", *more):
    attempt = SignIn(
        stage.program, stage.url, "--name", name, "--issuer", stage.glewlwyd.issuer_of(instance), "--client-id", "pavise",
        "--port", str(stage.redirect_port), "--approve-certificate", stage.spki, *more)
    assert attempt.page, attempt.end()
    return attempt


def person(stage):
    return Person(stage.url, stage.context, stage.glewlwyd)


def connect(stage, name="odd", instance="app", *more):
    attempt = start(stage, name, instance, *more)
    person(stage).complete(attempt.page)
    status, _, said = attempt.end()
    assert status == 0, said
    return attempt


def token_requests(stage, instance="app"):
    return [line for line in stage.nginx.requests() if line.startswith(f"POST /api/{instance}/token")]


def metadata(stage, instance):
    place = f"/api/{instance}/.well-known/openid-configuration"
    return json.loads(Browser(stage.url, stage.context).send("GET", place)[2])


def live_refresh_tokens(stage, instance):
    question = """SELECT count(*) FROM gpo_refresh_token WHERE gpor_enabled = 1 AND gpor_plugin_name = ?"""
    address = f"file:{stage.folder}/glewlwyd/database?mode=ro"
    with contextlib.closing(sqlite3.connect(address, uri=True)) as database:
        return database.execute(question, (instance,)).fetchone()[0]


@story("glewlwyd: endpoints with a double slash are used letter by letter")
def double_slashes(stage):
    found = metadata(stage, "app")
    assert "//" in found["authorization_endpoint"].removeprefix("https://"), found["authorization_endpoint"]
    attempt = connect(stage)
    assert attempt.page.split("?")[0] == found["authorization_endpoint"], attempt.page
    expect(stage.program.run("disconnect", "odd"), 0)


@story("glewlwyd: an answer that names another issuer is refused, and no code is exchanged")
def other_issuer(stage):
    # It sends the parameter and does not say so in its metadata: one that is missing would have to be taken.
    assert "authorization_response_iss_parameter_supported" not in metadata(stage, "app")
    attempt = start(stage)
    callback = person(stage).approve(attempt.page)
    parameters = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(callback).query))
    assert parameters["iss"] == stage.glewlwyd.issuer, callback
    before = len(token_requests(stage))
    # As another authority would that the person was led to (RFC 9207 §1).
    changed = urllib.parse.urlencode(parameters | {"iss": stage.glewlwyd.issuer_of("bound")})
    with contextlib.suppress(Refused):
        Browser("").send("GET", callback.split("?")[0] + "?" + changed)
    status, _, said = attempt.end()
    assert status == 3 and "issuer" in said, said
    assert len(token_requests(stage)) == before


@story("glewlwyd: a stolen code is worth nothing without its verifier")
def stolen_code(stage):
    attempt = start(stage)
    callback = person(stage).approve(attempt.page)
    code = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(callback).query))["code"]
    repeat(stage, code, attempt.parameters["redirect_uri"])
    Browser("").send("GET", callback)
    status, _, said = attempt.end()
    assert status == 0, said
    expect(stage.program.run("disconnect", "odd"), 0)


@story("glewlwyd: a used code that anybody repeats, without its verifier too, ends the tokens of its first use")
def used_code(stage):
    attempt = start(stage)
    callback = person(stage).approve(attempt.page)
    code = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(callback).query))["code"]
    Browser("").send("GET", callback)
    status, _, said = attempt.end()
    assert status == 0, said
    expect(fetch(stage.program), 0, "sub")
    live = live_refresh_tokens(stage, "app")
    repeat(stage, code, attempt.parameters["redirect_uri"])
    assert live_refresh_tokens(stage, "app") == live - 1
    expect(stage.program.run("disconnect", "odd"), 0)


def repeat(stage, code, redirect):
    """What a thief of a code can send; the refusal is glewlwyd's own word, not RFC 6749's."""
    form = {"grant_type": "authorization_code", "code": code, "client_id": "pavise", "code_verifier": "a" * 43,
            "redirect_uri": redirect}
    try:
        Browser(stage.url, stage.context).send_form(metadata(stage, "app")["token_endpoint"], form)
    except Refused as refusal:
        assert "403" in str(refusal) and "invalid_code" in str(refusal), refusal
        return
    raise AssertionError("a thief exchanged the code")


@story("glewlwyd: a pushed request keeps everything but its name out of the browser's address")
def pushed(stage):
    assert metadata(stage, "pushed")["require_pushed_authorization_requests"] is True
    attempt = start(stage, "pushed", "pushed")
    assert set(attempt.parameters) == {"client_id", "request_uri"}, attempt.parameters
    person(stage).complete(attempt.page)
    status, _, said = attempt.end()
    assert status == 0, said
    time.sleep(2.6)
    expect(stage.program.run("fetch", "pushed", "/api/pushed/userinfo"), 0, "sub")
    expect(stage.program.run("disconnect", "pushed"), 0)


@story("glewlwyd: a replayed refresh token ends the family; refusals without a word end the session at the fifth, and data stay")
def replay(stage):
    connect(stage)
    copy = stage.folder / "replay-odd"
    shutil.copytree(stage.program.home, copy)
    expect(stage.program.run("keychain", "add", "beside", "ada", text="canary-value\n"), 0)
    time.sleep(2.6)
    expect(fetch(stage.program), 0, "sub")
    live = live_refresh_tokens(stage, "app")
    time.sleep(2.6)
    expect(fetch(stage.with_home(copy)), 1, "You stay signed in")
    assert live_refresh_tokens(stage, "app") == live - 1, "the replay did not end the family"
    before = len(stage.nginx.requests())
    answers = [fetch(stage.program)]
    while answers[-1].returncode == 1 and len(answers) < 5:
        answers.append(fetch(stage.program))
    expect(answers[-1], 4, "the server refused too many times in a row", "Local data was kept")
    # Then the session is taken back, for which glewlwyd wants an access token that lives: one more try, after the end.
    after = stage.nginx.requests()[before:]
    end = next((index for index, line in enumerate(after) if "/revoke" in line), len(after))
    assert after[:end].count("POST /api/app/token 400") == 5 and end < len(after), after
    expect(stage.program.run("keychain", "get", "beside", "ada"), 0, "canary-value")
    expect(stage.program.run("keychain", "delete", "beside", "ada"), 0)
    expect(stage.program.run("disconnect", "odd"), 0)


def fetch(program):
    return program.run("fetch", "odd", "/api/app/userinfo")


@story("glewlwyd: a thousand callers over three lives of an access token; one refresh for each that ends, and the family lives")
def callers(stage):
    connect(stage)
    expect(fetch(stage.program), 0, "sub")
    time.sleep(2.6)
    live, before, start = live_refresh_tokens(stage, "app"), len(token_requests(stage)), time.monotonic()
    run = stage.program.lab("callers", "odd", "/api/app/userinfo", "--callers", "1000", "--over", "6", "--json")
    seconds = time.monotonic() - start
    assert json.loads(expect(run, 0).stdout)["answers"] == {"200": 1000}, run.stdout
    new = token_requests(stage)[before:]
    # A token of 2 s is renewed from half of its life on (SR15).
    assert 2 <= len(new) <= seconds + 2, (len(new), seconds)
    assert all(line.endswith(" 200") for line in new), new
    assert live_refresh_tokens(stage, "app") == live, "the family ended, or another one began"
    expect(fetch(stage.program), 0, "sub")
    expect(stage.program.run("disconnect", "odd"), 0)


def binds(stage):
    """Whether this program can bind tokens to a key."""
    return "--dpop" in stage.program.run("connect", "--help").stdout


@story("glewlwyd: tokens are bound to a key where that is offered (DPoP), and a stolen one is worth nothing without it")
def bound(stage):
    if not binds(stage):
        return stage.skip("this program does not bind tokens to a key")
    connect(stage, "bound", "bound")
    # A proof names the address that it is for, and glewlwyd takes its own spelling alone, with the double slash.
    place = metadata(stage, "bound")["userinfo_endpoint"]
    row = [row for row in json.loads(stage.program.run("connections", "--json").stdout)["connections"] if row["name"] == "bound"]
    assert row[0]["bound"] is True, row
    expect(stage.program.run("fetch", "bound", place), 0, "sub")
    shown = credentials(stage)[-1][4]
    assert shown.startswith("DPoP "), "the token went out under another scheme"
    for scheme in ("Bearer", "DPoP"):
        stolen = {"Authorization": f"{scheme} {shown.split()[1]}"}
        try:
            Browser(stage.url, stage.context).open("GET", place, None, stolen)
            raise AssertionError(f"a stolen token was taken as {scheme}")
        except Refused as refusal:
            assert "401" in str(refusal), refusal
    time.sleep(6.6)
    expect(stage.program.run("fetch", "bound", place), 0, "sub")
    assert credentials(stage)[-1][4] != shown, "the token was not refreshed"
    report = json.loads(expect(stage.program.run("disconnect", "bound", "--json"), 0).stdout)
    # A public client must show its access token there, as Bearer: a bound one is never shown so, and its key is gone.
    assert report["wiped"] is True and report["revocation"] == "failed", report
    revocations = [line for line in stage.nginx.credentials() if line[1] == "/api/bound/revoke"]
    assert revocations and not any(line[4].startswith("Bearer") for line in revocations), "shown as Bearer"
    tokens = [line for line in stage.nginx.credentials() if line[1] == "/api/bound/token"]
    assert len(tokens) == 2 and all(line[3] == "proved" for line in tokens), tokens


def credentials(stage):
    """What was shown with the answers that were given for it."""
    return [line for line in stage.nginx.credentials() if line[1] == "/api/bound/userinfo" and line[2] == "200"]


@story("glewlwyd: a nonce that is demanded for proofs (RFC 9449) is put into them at the sign-in, the refresh and the resource")
def nonces(stage):
    if not binds(stage):
        return stage.skip("this program does not bind tokens to a key")

    def statuses(endpoint):
        return [line[2] for line in stage.nginx.credentials() if line[1].endswith(f"/api/nonced/{endpoint}") and line[3] == "proved"]

    # Without the nonce the server says so, and gives one: the same request goes once more, with it.
    connect(stage, "nonced", "nonced")
    assert statuses("token") == ["400", "200"], statuses("token")
    place = metadata(stage, "nonced")["userinfo_endpoint"]
    expect(stage.program.run("fetch", "nonced", place), 0, "sub")
    assert statuses("userinfo") == ["401", "200"], statuses("userinfo")
    time.sleep(6.6)
    # Another process has no nonce yet, learns one at its refresh, and shows the next one to the resource, which is the same origin.
    expect(stage.program.run("fetch", "nonced", place), 0, "sub")
    assert statuses("token") == ["400", "200"] * 2, statuses("token")
    assert statuses("userinfo") == ["401", "200", "200"], statuses("userinfo")
    # One process keeps what it learnt, and takes the next one when the server changes it: no caller fails, and no token is renewed
    # before its end.
    path, before, start = place.removeprefix(stage.url), len(statuses("token")), time.monotonic()
    run = stage.program.lab("callers", "nonced", path, "--callers", "40", "--over", "4", "--json")
    assert json.loads(expect(run, 0).stdout)["answers"] == {"200": 40}, (run.stdout, statuses("userinfo"))
    assert statuses("token")[before:].count("200") <= (time.monotonic() - start) / 3 + 1, statuses("token")
    report = json.loads(expect(stage.program.run("disconnect", "nonced", "--json"), 0).stdout)
    assert report["wiped"] is True, report


@story("glewlwyd: an instance that binds no tokens is refused where that is demanded, and nothing is kept")
def unbound(stage):
    if not binds(stage):
        return stage.skip("this program does not bind tokens to a key")
    words = ["--name", "unbound", "--issuer", stage.glewlwyd.issuer, "--port", str(stage.redirect_port), "--no-browser"]
    answer = stage.program.run(
        "connect", stage.url, *words, "--approve-certificate", stage.spki, "--dpop", "always")
    expect(answer, 3, "does not bind tokens")
    assert "unbound" not in stage.program.run("connections", "--json").stdout
