"""Servers of Debian's packages that demand a certificate of each client: one from a file, one for a key in the element."""

import contextlib
import json
import os

from peers import Closing
from program import Program
from servers import Server, free_port, run
from stories import expect, story


class People:
    """An organisation's authority for people, by openssl."""

    def __init__(self, folder):
        self.folder = folder
        self.certificate = folder / "people.pem"
        run("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
            "-keyout", folder / "people.key", "-out", self.certificate, "-days", "30", "-subj", "/CN=People",
            "-addext", "basicConstraints=critical,CA:TRUE", "-addext", "keyUsage=critical,keyCertSign,cRLSign")
        (folder / "client.ext").write_text("extendedKeyUsage=clientAuth\nbasicConstraints=critical,CA:FALSE\n")

    def issue(self, request, name):
        certificate = self.folder / f"{name}.pem"
        run("openssl", "x509", "-req", "-in", request, "-CA", self.certificate, "-CAkey", self.folder / "people.key",
            "-CAcreateserial", "-days", "20", "-extfile", self.folder / "client.ext", "-out", certificate)
        return certificate

    def file(self, name):
        """A PKCS #12 file as an administrator sends it, its passphrase “sesame”."""
        key, request, bag = (self.folder / f"{name}.{end}" for end in ("key", "csr", "p12"))
        run("openssl", "req", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", request, "-subj", f"/CN={name}")
        run("openssl", "pkcs12", "-export", "-inkey", key, "-in", self.issue(request, name), "-passout", "pass:sesame",
            "-out", bag)
        return bag


def nginx(folder, port, pair, people):
    (folder / "conf").write_text(f"""
daemon off; worker_processes 1; pid {folder}/pid; error_log {folder}/error.log warn;
events {{ worker_connections 64; }}
http {{
    log_format who "$ssl_client_s_dn"; access_log {folder}/who who;
    client_body_temp_path {folder}/b; proxy_temp_path {folder}/p; fastcgi_temp_path {folder}/f;
    uwsgi_temp_path {folder}/u; scgi_temp_path {folder}/s;
    server {{
        listen 127.0.0.1:{port} ssl; server_name localhost; root {folder};
        ssl_certificate {pair}; ssl_certificate_key {pair};
        ssl_client_certificate {people}; ssl_verify_client on;
    }}
}}
""")
    return ["nginx", "-e", str(folder / "error.log"), "-c", str(folder / "conf")]


def haproxy(folder, port, pair, people):
    (folder / "conf").write_text(
        "global\n    maxconn 64\n"
        "defaults\n    mode http\n    timeout connect 5s\n    timeout client 20s\n    timeout server 20s\n"
        f"frontend people\n    bind 127.0.0.1:{port} ssl crt {pair} ca-file {people} verify required\n"
        '    http-request return status 200 content-type text/plain string "hello\\n"\n')
    return ["haproxy", "-db", "-f", str(folder / "conf")]


def apache2(folder, port, pair, people):
    modules = "".join(
        f"LoadModule {name}_module /usr/lib/apache2/modules/mod_{name}.so\n"
        for name in ("mpm_event", "authz_core", "socache_shmcb", "ssl"))
    owner = "User www-data\nGroup www-data\n" if os.getuid() == 0 else ""
    (folder / "conf").write_text(f"""
ServerRoot {folder}
{modules}{owner}
ServerName localhost
PidFile {folder}/pid
ErrorLog {folder}/error.log
DocumentRoot {folder}
Listen 127.0.0.1:{port}
SSLEngine on
SSLCertificateFile {pair}
SSLCertificateKeyFile {pair}
SSLCACertificateFile {people}
SSLVerifyClient require
<Directory {folder}>
    Require all granted
</Directory>
""")
    return ["/usr/sbin/apache2", "-DFOREGROUND", "-f", str(folder / "conf")]


def with_identity(stage, kind):
    folder = stage.folder / f"people-{kind.__name__}"
    folder.mkdir()
    (folder / "hello").write_text("hello\n")
    pair = folder / "server.pem"
    pair.write_text(open(stage.chain).read() + open(stage.key).read())
    people = People(folder)
    port = free_port()
    with contextlib.closing(Closing(Server(kind(folder, port, pair, people.certificate), port, folder))):
        program = Program(stage.program.binary, folder / "home")
        words = ["connect", f"https://localhost:{port}/hello", "--basic", "ada", "--approve-certificate", stage.spki]
        # Without a certificate nobody gets in: nginx says so with a 400, the others end the handshake.
        answer = program.run(*words, "--name", "none", text="secret\n")
        if kind is nginx:
            expect(program.run("fetch", "none", "/hello"), 1, "No required SSL certificate")
            expect(program.run("disconnect", "none"), 0)
        else:
            expect(answer, 1, "certificate")
        expect(program.run(*words, "--name", "none", "--identity", "none", text="secret\n"), 1, "no identity")

        bag = people.file("anna")
        expect(program.run("identity", "import", "anna", str(bag), text="wrong\n"), 1, "passphrase")
        expect(program.run("identity", "import", "anna", str(bag), text="sesame\n"), 0, "anna")
        expect(program.run(*words, "--name", "file", "--identity", "anna", text="secret\n"), 0)
        expect(program.run("fetch", "file", "/hello"), 0, "hello")

        request = folder / "element.csr"
        request.write_text(expect(program.run("identity", "request", "element", "--subject", "Element"), 0).stdout)
        certificate = people.issue(request, "element")
        expect(program.run("identity", "complete", "anna", str(certificate)), 1, "No request")
        expect(program.run("identity", "complete", "element", str(certificate)), 0)
        expect(program.run(*words, "--name", "element", "--identity", "element", text="secret\n"), 0)
        expect(program.run("fetch", "element", "/hello"), 0, "hello")
        found = json.loads(program.run("identity", "list", "--json").stdout)["identities"]
        assert [(each["name"], each["element"]) for each in found] == [("anna", False), ("element", True)], found
        if kind is nginx:
            assert (folder / "who").read_text().splitlines()[-1] == "CN=Element", (folder / "who").read_text()

        expect(program.run("identity", "remove", "element"), 0)
        expect(program.run("fetch", "element", "/hello"), 1, "no identity")
        expect(program.run("disconnect", "element"), 0)
        expect(program.run("device", "erase", "--yes"), 0)


for server in (nginx, haproxy, apache2):
    def played(stage, kind=server):
        with_identity(stage, kind)

    story(f"{server.__name__} demands a client's certificate, and gets one of a file and one of the element")(played)
