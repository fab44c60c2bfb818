"""django-oauth-toolkit behind nginx: a person, a public client, and a database that stories look into."""

import contextlib
import pathlib
import re
import secrets
import sqlite3

from front import Front, Gate
from packages import PYTHON, python_environment
from servers import Browser, Server, Site, free_port, run

SITE = pathlib.Path(__file__).resolve().parent / "toolkit"


class Toolkit(Site):
    """The server, its gate and its TLS. One database for all graces; each change of the grace is a restart."""

    user = "ada"

    def __init__(self, stage):
        self.folder = stage.folder / "toolkit"
        self.password, self.grace = secrets.token_hex(8), 0
        super().__init__(lambda: self.open(stage))

    def open(self, stage):
        self.folder.mkdir()
        run("openssl", "genrsa", "-out", self.folder / "token.key", "2048")
        (self.folder / "secret").write_text(secrets.token_hex(32))
        self.gate = self.add(Gate(free_port()))
        self.front = self.add(Front(self.folder / "front", self.gate, stage.chain, stage.key))
        self.url = f"https://localhost:{self.front.port}"
        self.issuer = f"{self.url}/o"
        self.person = ToolkitPerson(self, stage.context)
        self.django = self.add(Django(self))

    def serve(self, grace):
        """Serves with so many seconds in which a rotated refresh token still is answered."""
        if self.grace != grace:
            self.parts.remove(self.django)
            self.django.stop()
            self.grace = grace
            self.django = self.add(Django(self))

    def ask(self, question, *values):
        """Asks the server's database."""
        address = f"file:{self.folder}/database?mode=ro"
        with contextlib.closing(sqlite3.connect(address, uri=True, timeout=10)) as database:
            return database.execute(question, values).fetchall()

    def newest_family(self):
        """The refresh tokens that came of the last sign-in."""
        return self.ask("SELECT token_family FROM oauth2_provider_refreshtoken ORDER BY id DESC LIMIT 1")[0][0]

    def tokens(self, family):
        """The refresh tokens of a family, those that were rotated away too, in the order in which they were given."""
        return [row[0] for row in self.ask(
            "SELECT token FROM oauth2_provider_refreshtoken WHERE token_family = ? ORDER BY id", family)]

    def live(self, family):
        """How many refresh tokens of a family are not revoked."""
        return self.ask(
            "SELECT count(*) FROM oauth2_provider_refreshtoken WHERE token_family = ? AND revoked IS NULL", family)[0][0]

    def live_access_tokens(self):
        return self.ask("SELECT count(*) FROM oauth2_provider_accesstoken WHERE expires > datetime('now')")[0][0]

    def end_access_tokens(self):
        """The server takes no access token any more that it has given out so far."""
        self.change("UPDATE oauth2_provider_accesstoken SET expires = datetime('now', '-1 hour')")

    def age_rotations(self, seconds):
        """Makes what was rotated look rotated so much earlier."""
        self.change(
            "UPDATE oauth2_provider_refreshtoken SET revoked = datetime(revoked, ?) WHERE revoked IS NOT NULL",
            f"-{seconds} seconds")

    def change(self, statement, *values):
        with contextlib.closing(sqlite3.connect(self.folder / "database", timeout=10)) as database, database:
            database.execute(statement, values)


class Django(Server):
    """The development server in a process of its own."""

    def __init__(self, toolkit):
        environment = python_environment() | {
            "TOOLKIT_FOLDER": str(toolkit.folder), "TOOLKIT_URL": toolkit.url, "TOOLKIT_GRACE": str(toolkit.grace),
            "TOOLKIT_PASSWORD": toolkit.password}
        port = toolkit.gate.behind
        super().__init__([str(PYTHON), str(SITE / "serve.py"), str(port)], port, toolkit.folder, env=environment)


class ToolkitPerson:
    """Signs in on the admin's page with plain requests; signed in, the way leads straight to the callback."""

    def __init__(self, toolkit, context):
        self.toolkit, self.browser = toolkit, Browser(toolkit.url, context)

    def approve(self, page):
        """Signs in, and gives the callback's address without calling it."""
        status, fields, _ = self.browser.send("GET", page)
        if "/admin/login/" in fields["Location"]:
            self.sign_in(fields["Location"])
            status, fields, _ = self.browser.send("GET", page)
        assert status == 302, status
        return fields["Location"]

    def sign_in(self, form):
        _, _, body = self.browser.send("GET", form)
        token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', body.decode()).group(1)
        status, _, _ = self.browser.send_form(
            form, {"csrfmiddlewaretoken": token, "username": self.toolkit.user, "password": self.toolkit.password})
        assert status == 302, status

    def complete(self, page):
        self.browser.send("GET", self.approve(page))
