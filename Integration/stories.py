"""What is tried against the real servers. Each story is a sentence and a function; the order is that of a session's life."""

import json
import os
import resource
import shutil
import signal
import sqlite3
import subprocess
import time
import urllib.error
import urllib.request

from journal import TOKEN
from program import Person, SignIn

STORIES = []


def story(sentence):
    def add(function):
        STORIES.append((sentence, function))
        return function
    return add


def expect(answer, status, *words):
    """Checks status and words, and shows what was said when they are others."""
    said = answer.stdout + answer.stderr
    assert answer.returncode == status, f"status {answer.returncode}, wanted {status}: {said}"
    for word in words:
        assert word in said, f"“{word}” is missing in: {said}"
    return answer


def connect_words(stage):
    return [stage.url, "--name", "work", "--issuer", stage.glewlwyd.issuer, "--client-id", "pavise", "--port",
            str(stage.redirect_port)]


def sign_in(stage, *more):
    attempt = SignIn(stage.program, *connect_words(stage), "--approve-certificate", stage.spki, *more)
    assert attempt.page, attempt.end()
    Person(stage.url, stage.context, stage.glewlwyd).complete(attempt.page)
    status, output, said = attempt.end()
    assert status == 0, said
    return output


def fetch(stage, *words):
    return stage.program.run("fetch", "work", *words)


def token_requests(stage):
    return sum(line.startswith("POST") and "/token" in line for line in stage.nginx.requests())


def live_refresh_tokens(stage):
    with sqlite3.connect(f"file:{stage.folder}/glewlwyd/database?mode=ro", uri=True) as database:
        return database.execute("SELECT count(*) FROM gpo_refresh_token WHERE gpor_enabled = 1").fetchone()[0]


@story("an unknown authority is refused with a summary, and nothing is sent")
def unknown_authority(stage):
    before = len(stage.nginx.requests())
    answer = stage.program.run("connect", *connect_words(stage))
    expect(answer, 3, "certificate", stage.spki, "unknownAuthority", "CN=Integration authority")
    assert len(stage.nginx.requests()) == before
    assert not stage.program.run("connections", "--json").stdout.count("work")


@story("another fingerprint than the server's is refused, and both are shown")
def wrong_fingerprint(stage):
    wrong = "ab" * 32
    answer = stage.program.run("connect", *connect_words(stage), "--approve-certificate", wrong)
    expect(answer, 3, wrong, stage.spki, "approved-certificate")


@story("a callback with a foreign state is turned away, and the sign-in goes on")
def foreign_state(stage):
    attempt = SignIn(stage.program, *connect_words(stage), "--approve-certificate", stage.spki)
    assert attempt.page, attempt.end()
    assert attempt.parameters["code_challenge_method"] == "S256"
    try:
        urllib.request.urlopen(attempt.parameters["redirect_uri"] + "?code=evil&state=foreign", timeout=10)
        raise AssertionError("the foreign callback was accepted")
    except urllib.error.HTTPError as error:
        assert error.code == 404, error.code
    Person(stage.url, stage.context, stage.glewlwyd).complete(attempt.page)
    status, _, said = attempt.end()
    assert status == 0, said
    expect(stage.program.run("disconnect", "work"), 0)


@story("the certificate is approved, and code with PKCE signs in")
def code_and_pkce(stage):
    output = sign_in(stage)
    assert "Connected" in output, output
    row = json.loads(stage.program.run("connections", "--json").stdout)["connections"][0]
    assert (row["name"], row["state"]) == ("work", "signed in"), row


@story("the token opens the protected resource")
def protected_resource(stage):
    answer = expect(fetch(stage, "/api/app/userinfo"), 0)
    assert json.loads(answer.stdout)["sub"], answer.stdout


@story("three expiries of a 2 s token cause three refreshes with rotated tokens")
def expiry(stage):
    for _ in range(3):
        before = token_requests(stage)
        time.sleep(2.6)
        expect(fetch(stage, "/api/app/userinfo"), 0)
        assert token_requests(stage) == before + 1, stage.nginx.requests()[-6:]
    assert live_refresh_tokens(stage) == 1, "the old refresh tokens still live"


@story("eight processes that need a new token share one refresh")
def eight_processes(stage):
    time.sleep(2.6)
    before = token_requests(stage)
    processes = [stage.program.start("fetch", "work", "/api/app/userinfo") for _ in range(8)]
    for process in processes:
        output, said = process.communicate(timeout=60)
        assert process.returncode == 0, said
    count = token_requests(stage) - before
    # Tokens live for 2 s: a slow machine may need a second refresh, but never one for each process.
    assert 1 <= count <= 2, f"{count} refreshes"


@story("a redirect to another server is reported and not followed")
def redirect(stage):
    expect(fetch(stage, "/away"), 3, "redirect", "https://elsewhere.invalid/")


@story("an address of another server gets no token")
def foreign_origin(stage):
    expect(fetch(stage, "https://elsewhere.invalid/x"), 3, "credential-origin")


@story("an answer goes to a file whole, or not at all")
def to_file(stage):
    path = stage.folder / "answer"
    expect(fetch(stage, "/large", "-o", str(path)), 0)
    assert path.stat().st_size == 8 << 20 and path.stat().st_mode & 0o777 == 0o600
    path.write_text("old")

    def limited():
        signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
        resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, 1 << 20))

    answer = stage.program.run("fetch", "work", "/large", "-o", str(path), preexec_fn=limited)
    expect(answer, 1, "file-size limit")
    assert path.read_text() == "old" and len(list(path.parent.glob("answer*"))) == 1


@story("no token lies in a file in clear")
def no_token_in_files(stage):
    for token in (b"eyJhbGciOiJub25lIn0.e30.", b"a7" * 64):
        assert TOKEN.search(b"\0page" + token + b"\0"), "the search finds nothing"
    assert stage.program.files(), "there is no file to look at"
    for path in stage.program.files():
        content = path.read_bytes()
        assert not TOKEN.search(content), path
        assert stage.glewlwyd.password.encode() not in content, path
        assert path.stat().st_mode & 0o077 == 0 or path.parent.stat().st_mode & 0o077 == 0, path


@story("a damaged store is an error, not an absence, and loses nothing")
def damaged_store(stage):
    copy = stage.folder / "damaged"
    shutil.copytree(stage.program.home, copy)
    damaged = stage.with_home(copy)
    expect(damaged.run("keychain", "add", "mail", "ada", text="canary-value\n"), 0)
    for path in (copy / "keychain").iterdir():
        if path.suffix == ".db" or path.name.endswith("-wal"):
            content = bytearray(path.read_bytes())
            for index in range(200, len(content), 97):
                content[index] ^= 0x10
            path.write_bytes(content)
    answer = damaged.run("keychain", "get", "mail", "ada")
    assert answer.returncode not in (0, 2) and "canary-value" not in answer.stdout, answer
    assert "There is no" not in answer.stderr, answer.stderr
    assert damaged.run("fetch", "work", "/api/app/userinfo").returncode != 0


@story("disconnect wipes, and the server no longer knows the token")
def disconnect(stage):
    answer = expect(stage.program.run("disconnect", "work", "--json"), 0)
    report = json.loads(answer.stdout)
    assert report["wiped"] is True and report["revocation"] == "done", report
    assert live_refresh_tokens(stage) == 0
    expect(stage.program.run("fetch", "work", "/api/app/userinfo"), 1, "There is no connection")
    assert not list((stage.program.home / "connections").glob("*-*")), "a folder is left"


@story("disconnect works without a network")
def disconnect_offline(stage):
    sign_in(stage)
    stage.nginx.stop()
    try:
        begun = time.monotonic()
        expect(stage.program.run("disconnect", "work"), 0, "Wiped")
        assert time.monotonic() - begun < 8
    finally:
        # The stories after this one need the server.
        stage.start_nginx()


@story("a password comes from standard input, and a wrong one stores nothing")
def basic(stage):
    words = [f"{stage.url}/basic/hello", "--name", "files", "--basic", "ada", "--approve-certificate", stage.spki]
    expect(stage.program.run("connect", *words, text="wrong\n"), 4, "refuses")
    assert json.loads(stage.program.run("connections", "--json").stdout)["connections"] == []
    expect(stage.program.run("connect", *words, text="basic-canary\n"), 0)
    expect(stage.program.run("fetch", "files", "/basic/hello"), 0, "hello")
    for path in stage.program.files():
        assert b"basic-canary" not in path.read_bytes(), path
    expect(stage.program.run("disconnect", "files"), 0)
