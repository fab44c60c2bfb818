"""Canaille behind nginx: a person, two public clients, and a database that stories look into."""

import base64
import contextlib
import json
import pathlib
import re
import secrets
import sqlite3

from front import Front, Gate
from packages import PYTHON, python_environment
from servers import Browser, Server, Site, free_port

SERVE = pathlib.Path(__file__).resolve().parent / "canaille" / "serve.py"


class Canaille(Site):
    """The server, its gate and its TLS."""

    user = "ada"

    def __init__(self, stage):
        self.folder = stage.folder / "canaille"
        self.password = secrets.token_hex(16)
        # It compares the whole redirect address.
        self.redirect_port = free_port()
        super().__init__(lambda: self.open(stage))

    def open(self, stage):
        self.folder.mkdir()
        self.gate = self.add(Gate(free_port()))
        self.front = self.add(Front(self.folder / "front", self.gate, stage.chain, stage.key))
        self.url = self.issuer = f"https://localhost:{self.front.port}"
        self.person = CanaillePerson(self, stage.context)
        words = [str(PYTHON), str(SERVE), str(self.folder), str(self.gate.behind), self.url,
                 f"http://127.0.0.1:{self.redirect_port}/callback"]
        environment = python_environment() | {"SITE_PASSWORD": self.password}
        self.add(Server(words, self.gate.behind, self.folder, env=environment))

    def ask(self, question, *values):
        """Asks the server's database."""
        address = f"file:{self.folder}/database?mode=ro"
        with contextlib.closing(sqlite3.connect(address, uri=True, timeout=10)) as database:
            return database.execute(question, values).fetchall()

    def live_tokens(self):
        return self.ask("SELECT count(*) FROM token WHERE revokation_date IS NULL")[0][0]

    def newest_header(self):
        """The header of the last access token, which is a JWT."""
        token = self.ask("SELECT access_token FROM token ORDER BY rowid DESC LIMIT 1")[0][0]
        return json.loads(base64.urlsafe_b64decode(token.split(".")[0] + "=="))

    def end_tokens(self):
        """Makes all tokens look as old as they may get."""
        with contextlib.closing(sqlite3.connect(self.folder / "database", timeout=10)) as database, database:
            database.execute("UPDATE token SET lifetime = 0")

    def refuse_token(self):
        """The next request meets a 401, while the refresh token lives."""
        self.gate.refuse_next("/oauth/userinfo")


class CanaillePerson:
    """Goes through three pages with plain requests: the name, the password, the consent. Later none of them is shown."""

    def __init__(self, canaille, context):
        self.canaille, self.browser = canaille, Browser(canaille.url, context)

    def approve(self, page):
        """Signs in and agrees, and gives the callback's address without calling it."""
        place = page
        answers = {"login": self.canaille.user, "password": self.canaille.password, "answer": "accept"}
        for _ in range(12):
            status, fields, body = self.browser.send("GET", place)
            if status == 200:
                status, fields = self.fill_in(place, body.decode(), answers)
            assert status in (302, 303), (status, place)
            place = fields["Location"]
            if place.startswith("http://127.0.0.1:"):
                return place
        raise AssertionError(f"no end of pages at {place}")

    def fill_in(self, place, page, answers):
        token = re.search(r'name="csrf_token"[^>]* value="([^"]+)"', page).group(1)
        wanted = [name for name in answers if f'name="{name}"' in page]
        assert wanted, f"no known form at {place}: {page}"
        status, fields, _ = self.browser.send_form(place, {"csrf_token": token, wanted[0]: answers[wanted[0]]})
        return status, fields

    def complete(self, page):
        self.browser.send("GET", self.approve(page))
