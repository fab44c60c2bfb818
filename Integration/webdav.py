"""apache2 with WebDAV: files behind HTTP Basic, written and read by the program."""

import json
import os
import pathlib
import shutil
import tempfile
import time

from servers import Server, free_port, run
from stories import expect, story

MODULES = ("mpm_event", "authz_core", "socache_shmcb", "ssl", "auth_basic", "authn_core", "authn_file", "authz_user", "dav",
           "dav_fs")


class WebDAV(Server):
    """One folder of files for one person."""

    password = "webdav-canary"

    def __init__(self, stage):
        # A folder of its own: several stories have such a server.
        folder = pathlib.Path(tempfile.mkdtemp(prefix="webdav-", dir=stage.folder))
        self.files = files = folder / "files"
        files.mkdir(parents=True)
        self.port = free_port()
        secret = run("openssl", "passwd", "-apr1", self.password).stdout.strip()
        (folder / "users").write_text(f"ada:{secret}\n")
        owner = ""
        if os.getuid() == 0:
            owner = "User www-data\nGroup www-data\n"
            for place in (folder, files):
                place.chmod(0o777)
        modules = "".join(f"LoadModule {name}_module /usr/lib/apache2/modules/mod_{name}.so\n" for name in MODULES)
        (folder / "conf").write_text(f"""
ServerRoot {folder}
{modules}{owner}
ServerName localhost
PidFile {folder}/pid
ErrorLog {folder}/error.log
DavLockDB {folder}/locks
DocumentRoot {files}
Listen 127.0.0.1:{self.port}
<VirtualHost 127.0.0.1:{self.port}>
    ServerName localhost
    SSLEngine on
    SSLCertificateFile {stage.chain}
    SSLCertificateKeyFile {stage.key}
    SSLProtocol -all +TLSv1.2 +TLSv1.3
    <Directory {files}>
        Dav On
        AuthType Basic
        AuthName "files of ada"
        AuthUserFile {folder}/users
        Require valid-user
    </Directory>
</VirtualHost>
""")
        super().__init__(["/usr/sbin/apache2", "-DFOREGROUND", "-f", str(folder / "conf")], self.port, folder)


@story("apache2 with WebDAV keeps files behind a password: written, listed, read and removed")
def webdav(stage):
    server = WebDAV(stage)
    try:
        words = [f"https://localhost:{server.port}/", "--name", "dav", "--basic", "ada", "--approve-certificate", stage.spki]
        expect(stage.program.run("connect", *words, text="wrong\n"), 4, "refuses")
        expect(stage.program.run("connect", *words, text=server.password + "\n"), 0)
        write_and_read(stage.program)
        for path in stage.program.files():
            assert server.password.encode() not in path.read_bytes(), path
        expect(stage.program.run("disconnect", "dav"), 0)
    finally:
        server.stop()


def write_and_read(program):
    def fetch(method, path, *words, **options):
        return program.run("fetch", "dav", path, "-X", method, *words, **options)

    expect(fetch("MKCOL", "/notes/", "-i"), 0, " 201")
    expect(fetch("PUT", "/notes/one", "-d", "@-", "-i", text="first\n"), 0, " 201")
    expect(fetch("PROPFIND", "/notes/", "-H", "Depth: 1", "-i"), 0, " 207", "/notes/one")
    expect(fetch("GET", "/notes/one"), 0, "first")
    expect(fetch("DELETE", "/notes/", "-i"), 0, " 204")
    expect(fetch("GET", "/notes/one"), 1)


@story("apache2 with WebDAV: pavise sync keeps both sides equal, keeps both versions of a conflict, and gives back what was replaced")
def sync(stage):
    server = WebDAV(stage)
    program, here, there = stage.program, stage.folder / "sync-here", server.files
    here.mkdir()
    run_it = lambda *words: program.run("sync", "run", "dav", str(here), *words)
    try:
        expect(program.run("connect", f"https://localhost:{server.port}/", "--name", "dav", "--basic", "ada",
                           "--approve-certificate", stage.spki, text=server.password + "\n"), 0)
        (here / "one").write_text("first")
        (here / "folder").mkdir()
        (here / "folder" / "two ä").write_text("second")
        expect(run_it("--dry-run"), 0)
        assert not (there / "one").exists(), "a dry run wrote"
        expect(run_it(), 0, "Both sides are the same")
        assert (there / "folder" / "two ä").read_text() == "second"
        time.sleep(1.1)  # apache2 tells versions of a file by the second
        (here / "one").write_text("mine, and longer")
        (there / "one").write_text("theirs")
        expect(run_it(), 0)
        contents = {path.read_text() for path in here.iterdir() if path.is_file() and path.name != ".pavise-sync"}
        assert {"mine, and longer", "theirs"} <= contents, contents
        expect(program.run("sync", "conflicts", "dav", str(here)), 3, "one (conflict ")
        expect(run_it(), 0, "Both sides are the same")
        assert {path.read_text() for path in there.rglob("*") if path.is_file()} >= {"mine, and longer", "theirs", "second"}
        (here / "folder" / "two ä").unlink()
        expect(run_it(), 0)
        assert not (there / "folder" / "two ä").exists()
        listed = json.loads(expect(program.run("sync", "recover", "dav", str(here), "--json"), 0).stdout)
        digests = [row["digest"] for row in listed]
        given = [program.run("sync", "recover", "dav", str(here), digest).stdout for digest in digests]
        assert "second" in given, given
        # An empty server is asked about, and not obeyed (SY11).
        for path in there.iterdir():
            shutil.rmtree(path) if path.is_dir() else path.unlink()
        expect(run_it(), 3)
        assert (here / "one").exists()
        expect(program.run("disconnect", "dav"), 0)
        for path in program.files():
            assert b"second" not in path.read_bytes() and b"mine, and longer" not in path.read_bytes(), path
    finally:
        server.stop()
