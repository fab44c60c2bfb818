"""Other WebDAV servers than apache2; at each a second writer beside `pavise sync`, which is killed now and then."""

import base64
import json
import os
import pathlib
import random
import ssl
import tempfile
import threading
import time
import urllib.error
import urllib.request

from servers import Server, free_port, run
from stories import expect, story
from webdav import WebDAV

# How many rounds a race has. 1,000 rounds at one server take about ten minutes.
ROUNDS = int(os.environ.get("PAVISE_RACES", "12"))
PYTHON = pathlib.Path(__file__).resolve().parent.parent / ".build/integration/bin/python"
PASSWORD = WebDAV.password


def places(stage, name):
    folder = pathlib.Path(tempfile.mkdtemp(prefix=f"{name}-", dir=stage.folder))
    files = folder / "files"
    files.mkdir()
    return folder, files, free_port()


class NginxDAV(Server):
    """nginx with dav-ext: no condition holds there, locks do."""

    def __init__(self, stage):
        folder, self.files, self.port = places(stage, "nginx-dav")
        (folder / "temporary").mkdir()
        secret = run("openssl", "passwd", "-apr1", PASSWORD).stdout.strip()
        (folder / "users").write_text(f"ada:{secret}\n")
        user = "user root;" if os.getuid() == 0 else ""
        temporary = "".join(f"{kind}_temp_path {folder}/temporary;\n" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        (folder / "conf").write_text(f"""
load_module /usr/lib/nginx/modules/ngx_http_dav_ext_module.so;
{user}
daemon off;
pid {folder}/pid;
error_log {folder}/error.log;
events {{ }}
http {{
    access_log off;
    {temporary}
    dav_ext_lock_zone zone=files:1m timeout=130s;
    server {{
        listen 127.0.0.1:{self.port} ssl;
        ssl_certificate {stage.chain};
        ssl_certificate_key {stage.key};
        root {self.files};
        client_max_body_size 0;
        location / {{
            auth_basic "files of ada";
            auth_basic_user_file {folder}/users;
            dav_methods PUT DELETE MKCOL COPY MOVE;
            dav_ext_methods PROPFIND OPTIONS LOCK UNLOCK;
            dav_ext_lock zone=files;
        }}
    }}
}}
""")
        super().__init__(["nginx", "-e", str(folder / "error.log"), "-c", str(folder / "conf")], self.port, folder)


class Rclone(Server):
    """rclone serve webdav: conditions are passed over."""

    def __init__(self, stage):
        folder, self.files, self.port = places(stage, "rclone")
        super().__init__(
            ["rclone", "serve", "webdav", str(self.files), "--addr", f"127.0.0.1:{self.port}", "--cert", str(stage.chain),
             "--key", str(stage.key), "--user", "ada", "--pass", PASSWORD, "--config", str(folder / "none"),
             "--dir-cache-time", "0s"], self.port, folder)


class WsgiDAV(Server):
    """WsgiDAV: files are written in place."""

    def __init__(self, stage):
        folder, self.files, self.port = places(stage, "wsgidav")
        script = pathlib.Path(__file__).with_name("wsgidav_server.py")
        super().__init__([str(PYTHON), str(script), str(self.files), str(self.port), str(stage.chain), str(stage.key), PASSWORD],
                         self.port, folder)


class Writer:
    """Somebody else who writes, and keeps the rules of locks. It remembers what it replaced itself."""

    def __init__(self, server, seed):
        self.url, self.random = f"https://localhost:{server.port}/", random.Random(seed)
        self.context = ssl.create_default_context()
        self.context.check_hostname, self.context.verify_mode = False, ssl.CERT_NONE
        self.token = base64.b64encode(f"ada:{PASSWORD}".encode()).decode()
        self.written, self.replaced, self.count = set(), set(), 0

    def ask(self, method, name, body=None):
        request = urllib.request.Request(self.url + name, method=method, data=body)
        request.add_header("Authorization", "Basic " + self.token)
        try:
            with urllib.request.urlopen(request, context=self.context, timeout=20) as answer:
                return answer.status, answer.read()
        except urllib.error.HTTPError as error:
            return error.code, b""
        except OSError:
            return 0, b""

    def act(self, names):
        """Reads a file, and writes it: what it read is replaced by it, knowingly."""
        time.sleep(self.random.uniform(0, 0.3))
        name, self.count = self.random.choice(names), self.count + 1
        status, before = self.ask("GET", name)
        text = f"theirs {self.count} {self.random.random()}".encode()
        # A write without an answer may have been done: it counts as one that has to be somewhere only where it was confirmed.
        if self.ask("PUT", name, text)[0] in (200, 201, 204):
            self.written.add(text)
            if status == 200:
                self.replaced.add(before)


def kept(program, here):
    """Every content that the store can give back."""
    rows = json.loads(expect(program.run("sync", "recover", "dav", str(here), "--json"), 0).stdout)
    return {program.run("sync", "recover", "dav", str(here), row["digest"]).stdout.encode() for row in rows}


class Play:
    """One folder and one server, and all that the program said of them."""

    def __init__(self, stage, kind):
        self.program, self.name = stage.program, kind.__name__
        self.server = kind(stage)
        self.here = stage.folder / f"race-{self.name}"
        self.here.mkdir()
        self.said = []

    def connect(self, stage):
        expect(self.program.run("connect", f"https://localhost:{self.server.port}/", "--name", "dav", "--basic", "ada",
                                "--approve-certificate", stage.spki, text=PASSWORD + "\n"), 0)

    def sync(self):
        answer = self.program.run("sync", "dav", str(self.here), "--yes", "--json")
        self.said.append(f"status {answer.returncode}: {answer.stdout.strip()} {answer.stderr.strip()}")
        return answer

    def kill(self, seconds):
        process = self.program.start("sync", "dav", str(self.here), "--yes")
        time.sleep(seconds)
        process.kill()
        process.communicate()
        self.said.append(f"killed after {seconds:.2f} s")

    def local(self):
        return {path.read_bytes() for path in self.here.rglob("*") if path.is_file() and path.name != ".pavise-sync"}

    def remote(self):
        return {path.read_bytes() for path in self.server.files.rglob("*") if path.is_file() and ".pavise-" not in str(path)}

    def left(self):
        """What uploads, replacements and deletions left on the server."""
        return sorted(path.name for path in self.server.files.iterdir() if path.name.startswith((".pavise-upload-", ".pavise-gone-")))

    def account(self):
        """For a race that fails: the last runs as the program told of them, what lies on both sides, what the server wrote."""
        lines = self.said[-12:]
        lines += [f"on the server: {sorted(path.name for path in self.server.files.rglob('*'))}",
                  f"here: {sorted(path.name for path in self.here.rglob('*'))}"]
        for log in sorted(self.server.files.parent.glob("*.log")):
            lines += [f"{log.name}: {line}" for line in log.read_text(errors="replace").splitlines()[-20:]]
        return "\n".join(lines)


def race(stage, kind):
    play = Play(stage, kind)
    try:
        try:
            play.connect(stage)
            compete(stage, play)
        except Exception:
            stage.note(play.account())
            raise
    finally:
        # Whatever happened: the next server's connection has the same name.
        ended = play.program.run("disconnect", "dav")
        play.server.stop()
    expect(ended, 0)


def compete(stage, play):
    names, here = ["a", "b", "c"], play.here
    mine, writer, kills = set(), Writer(play.server, 7), 0
    chance = random.Random(11)
    for number in range(ROUNDS):
        target = here / chance.choice(names)
        # What stood there is replaced knowingly.
        before = target.read_bytes() if target.exists() else None
        text = f"mine {number} {chance.random()}".encode()
        target.write_bytes(text)
        mine.add(text)
        if before is not None:
            writer.replaced.add(before)
        other = threading.Thread(target=lambda: [writer.act(names) for _ in range(3)])
        other.start()
        if chance.random() < 0.4:
            kills += 1
            play.kill(chance.uniform(0, 0.8))
        else:
            # 1: the other was faster all the time; 3: a person has to answer.
            assert play.sync().returncode in (0, 1, 3), "no status of a run"
        other.join()
    for _ in range(6):
        # A tag that counts in seconds is waited out.
        time.sleep(2.1)
        answer = play.sync()
        if answer.returncode == 0:
            break
    assert json.loads(expect(answer, 0).stdout)["isComplete"], answer.stdout
    assert writer.written, "nobody wrote beside pavise sync: the server took no write of the other"
    there, local = play.remote(), play.local()
    assert there == local, f"the sides differ: {there ^ local}"
    lost = (mine | writer.written) - writer.replaced - there - kept(play.program, here)
    level = json.loads(play.program.run("sync", "status", "dav", str(here), "--json").stdout)["level"]
    stage.note(f"races at {play.name} (level {level}): {ROUNDS} rounds, {kills} killed, {len(writer.written)} writes of another, "
               f"{len(lost)} lost")
    assert not lost, f"lost: {lost}"
    if play.left():
        # What a killed run left is swept by the next one that finds it.
        stage.note(f"left by the last run, for the next one: {play.left()}")
        expect(play.sync(), 0)
    assert not play.left(), f"left on the server: {play.left()}"


@story("apache2: a second writer beside pavise sync, and nothing is lost")
def apache(stage):
    race(stage, WebDAV)


@story("nginx with dav-ext: a second writer beside pavise sync, and nothing is lost")
def nginx(stage):
    race(stage, NginxDAV)


@story("rclone serve webdav: a second writer beside pavise sync, and nothing is lost")
def rclone(stage):
    race(stage, Rclone)


@story("WsgiDAV: a second writer beside pavise sync, and nothing is lost")
def wsgidav(stage):
    if not PYTHON.exists():
        stage.skip("WsgiDAV: no Python packages")
        return
    race(stage, WsgiDAV)
