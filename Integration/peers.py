"""Servers of Debian's packages, each with good and bad TLS: diagnosed as what they are, and used over HTTP/1.1 and HTTP/2."""

import contextlib
import json
import os
import pathlib

from program import Program, spki
from servers import Server, free_port, wait_for
from stories import expect, story

OLD = "ALL:@SECLEVEL=0"
KEY_TRANSPORT = "AES128-GCM-SHA256"


class Peer(Server):
    """A server that listens on one port for each setting: `two` and `one` for HTTP/2 and HTTP/1.1, `rsa` for TLS 1.2 with RSA
    key exchange alone, `old` for TLS 1.1 alone."""

    settings = ("two", "one", "rsa", "old")

    def __init__(self, stage, words, folder):
        self.folder = folder
        super().__init__(words, self.ports["one"], folder)
        try:
            for port in self.ports.values():
                wait_for(port, self.process)
        except RuntimeError:
            # Whoever asked for it gets none, and ends none.
            self.stop()
            raise

    def prepare(self, stage, name):
        folder = stage.folder / f"peer-{name}"
        folder.mkdir(exist_ok=True)
        self.ports = {setting: free_port() for setting in self.settings}
        for kind, chain, key in (("ec", stage.chain, stage.key), ("rsa", stage.rsa_chain, stage.rsa_key)):
            (folder / f"{kind}.pem").write_text(pathlib.Path(chain).read_text() + pathlib.Path(key).read_text())
        (folder / "hello").write_text("hello\n")
        return folder


class NginxPeer(Peer):
    name = "nginx"

    def __init__(self, stage):
        folder = self.prepare(stage, self.name)

        def server(setting, kind, more, listen=""):
            return f"""
    server {{
        listen 127.0.0.1:{self.ports[setting]} ssl {listen}; server_name localhost; root {folder};
        ssl_certificate {folder}/{kind}.pem; ssl_certificate_key {folder}/{kind}.pem; {more}
    }}"""

        (folder / "conf").write_text(f"""
daemon off; worker_processes 1; pid {folder}/pid; error_log {folder}/error.log warn;
events {{ worker_connections 64; }}
http {{
    access_log off; client_body_temp_path {folder}/b; proxy_temp_path {folder}/p; fastcgi_temp_path {folder}/f;
    uwsgi_temp_path {folder}/u; scgi_temp_path {folder}/s;{
        server("two", "ec", "ssl_protocols TLSv1.2 TLSv1.3;", "http2")}{
        server("one", "ec", "ssl_protocols TLSv1.2 TLSv1.3;")}{
        server("rsa", "rsa", f"ssl_protocols TLSv1.2; ssl_ciphers {KEY_TRANSPORT};")}{
        server("old", "ec", f"ssl_protocols TLSv1.1; ssl_ciphers {OLD};")}
}}
""")
        super().__init__(stage, ["nginx", "-e", str(folder / "error.log"), "-c", str(folder / "conf")], folder)


class HaproxyPeer(Peer):
    name = "haproxy"

    def __init__(self, stage):
        folder = self.prepare(stage, self.name)

        def bind(setting, kind, more):
            return f"    bind 127.0.0.1:{self.ports[setting]} ssl crt {folder}/{kind}.pem {more}\n"

        (folder / "conf").write_text(
            "global\n    maxconn 64\n    tune.ssl.default-dh-param 2048\n"
            "defaults\n    mode http\n    timeout connect 5s\n    timeout client 20s\n    timeout server 20s\n"
            "frontend peers\n"
            + bind("two", "ec", "alpn h2,http/1.1 ssl-min-ver TLSv1.2")
            + bind("one", "ec", "alpn http/1.1 ssl-min-ver TLSv1.2")
            + bind("rsa", "rsa", f"ssl-min-ver TLSv1.2 ssl-max-ver TLSv1.2 ciphers {KEY_TRANSPORT}")
            + bind("old", "ec", f"ssl-min-ver TLSv1.1 ssl-max-ver TLSv1.1 ciphers {OLD}")
            + '    http-request return status 200 content-type text/plain string "hello\\n"\n')
        super().__init__(stage, ["haproxy", "-db", "-f", str(folder / "conf")], folder)


class ApachePeer(Peer):
    name = "apache2"

    def __init__(self, stage):
        folder = self.prepare(stage, self.name)
        modules = "".join(
            f"LoadModule {name}_module /usr/lib/apache2/modules/mod_{name}.so\n"
            for name in ("mpm_event", "authz_core", "socache_shmcb", "ssl", "http2"))

        def host(setting, kind, protocols, *more):
            more = "\n    ".join(more)
            return f"""
Listen 127.0.0.1:{self.ports[setting]}
<VirtualHost 127.0.0.1:{self.ports[setting]}>
    ServerName localhost
    Protocols {protocols}
    SSLEngine on
    SSLCertificateFile {folder}/{kind}.pem
    SSLCertificateKeyFile {folder}/{kind}.pem
    {more}
</VirtualHost>"""

        owner = "User www-data\nGroup www-data\n" if os.getuid() == 0 else ""
        (folder / "conf").write_text(f"""
ServerRoot {folder}
{modules}{owner}
ServerName localhost
PidFile {folder}/pid
ErrorLog {folder}/error.log
DocumentRoot {folder}
<Directory {folder}>
    Require all granted
</Directory>{
    host("two", "ec", "h2 http/1.1", "SSLProtocol -all +TLSv1.2 +TLSv1.3")}{
    host("one", "ec", "http/1.1", "SSLProtocol -all +TLSv1.2 +TLSv1.3")}{
    host("rsa", "rsa", "http/1.1", "SSLProtocol -all +TLSv1.2", "SSLCipherSuite " + KEY_TRANSPORT)}{
    host("old", "ec", "http/1.1", "SSLProtocol -all +TLSv1.1", "SSLCipherSuite " + OLD)}
""")
        super().__init__(stage, ["/usr/sbin/apache2", "-DFOREGROUND", "-f", str(folder / "conf")], folder)


class OpenSSLPeer(Peer):
    """openssl s_server: one process for each setting, and no HTTP/2."""

    name = "openssl s_server"
    settings = ("one", "rsa", "old")

    def __init__(self, stage):
        folder = self.prepare(stage, "openssl")

        def words(setting, kind, *more):
            return ["openssl", "s_server", "-quiet", "-WWW", "-accept", f"127.0.0.1:{self.ports[setting]}",
                    "-cert", str(folder / f"{kind}.pem"), "-key", str(folder / f"{kind}.pem"),
                    "-cert_chain", str(folder / f"{kind}.pem"), *more]

        self.others = []
        try:
            for setting, kind, *more in (("rsa", "rsa", "-tls1_2", "-cipher", KEY_TRANSPORT), ("old", "ec", "-tls1_1", "-cipher", OLD)):
                self.others.append(Server(words(setting, kind, *more), self.ports[setting], folder))
            super().__init__(stage, words("one", "ec"), folder)
        except RuntimeError:
            self.stop_others()
            raise

    def stop_others(self):
        while self.others:
            self.others.pop().stop()

    def stop(self):
        self.stop_others()
        super().stop()


PEERS = [NginxPeer, HaproxyPeer, ApachePeer, OpenSSLPeer]


def diagnosis(stage, port):
    answer = stage.program.run(
        "ats", "diagnose", f"https://localhost:{port}", "--anchors", str(stage.authority), "--json")
    found = json.loads(answer.stdout)
    assert found["exitStatus"] == answer.returncode, answer.stdout
    return answer.returncode, found["exceptions"].get("NSExceptionDomains", {}).get("localhost", {})


def diagnose(stage, peer):
    wanted = {
        "two": (0, {}), "one": (0, {}),
        "rsa": (1, {"NSExceptionRequiresForwardSecrecy": False}),
        "old": (1, {"NSExceptionMinimumTLSVersion": "TLSv1.1"})}
    for setting, port in peer.ports.items():
        found = diagnosis(stage, port)
        assert found == wanted[setting], f"{setting}: {found}"


def use(stage, peer):
    """Connects with a password and fetches; a server whose TLS is too old or too weak is refused."""
    program = Program(stage.program.binary, stage.folder / f"home-{pathlib.Path(peer.folder).name}")
    for setting, port in peer.ports.items():
        words = ["connect", f"https://localhost:{port}/hello", "--name", setting, "--basic", "ada"]
        if setting in ("rsa", "old"):
            expect(program.run(*words, "--approve-certificate", spki(stage.folder / "rsa.leaf"), text="secret\n"), 3, "tls")
            continue
        expect(program.run(*words, text="secret\n"), 3, "certificate")
        expect(program.run(*words, "--approve-certificate", stage.spki, text="secret\n"), 0)
        answer = expect(program.run("fetch", setting, "/hello", "-i"), 0, "hello")
        assert answer.stdout.startswith("HTTP/2 200" if setting == "two" else "HTTP/1"), answer.stdout
    expect(program.run("device", "erase", "--yes"), 0)


for kind in PEERS:
    def played(stage, kind=kind):
        with contextlib.closing(Closing(kind(stage))) as peer:
            diagnose(stage, peer.server)
            use(stage, peer.server)

    story(f"{kind.name} is diagnosed as what it is, and serves as a peer")(played)


class Closing:
    """Ends a server with the block that uses it."""

    def __init__(self, server):
        self.server = server

    def close(self):
        self.server.stop()
