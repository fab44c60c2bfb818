"""Starts nginx from Debian's package on loopback, with certificates of its own: one port for HTTP/1.1, one for HTTP/2, and one
that closes after each answer and gives no session to come back with."""

import errno
import pathlib
import shutil
import socket
import subprocess
import time

CONFIGURATION = """
daemon off;
master_process off;
pid {folder}/nginx.pid;
error_log {folder}/error.log warn;
events {{ worker_connections 1024; }}
http {{
    access_log off;
    keepalive_requests 100000000;
    keepalive_timeout 300s;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    ssl_certificate {folder}/chain.pem;
    ssl_certificate_key {folder}/leaf.key;
    ssl_protocols TLSv1.2 TLSv1.3;
    default_type text/plain;
    server {{
        listen 127.0.0.1:{http1} ssl;
        location = /sixty {{ return 200 "{body}"; }}
        location = /protocol {{ return 200 $server_protocol; }}
        location /open/ {{ alias {folder}/files/; }}
        location / {{
            root {folder}/files;
            auth_basic bench;
            auth_basic_user_file {folder}/users;
        }}
    }}
    server {{
        {fresh_listen}
        keepalive_timeout 0;
        ssl_session_tickets off;
        ssl_session_cache off;
        location = /sixty {{ return 200 "{body}"; }}
        location = /protocol {{ return 200 $server_protocol; }}
    }}
    server {{
        listen 127.0.0.1:{http2} ssl http2;
        location = /sixty {{ return 200 "{body}"; }}
        location = /protocol {{ return 200 $server_protocol; }}
    }}
}}
"""


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def has_ipv6_loopback():
    with socket.socket(socket.AF_INET6) as probe:
        return probe.connect_ex(("::1", 1)) == errno.ECONNREFUSED


def openssl(*arguments):
    subprocess.run(["openssl", *map(str, arguments)], check=True, capture_output=True)


def issue_certificates(folder, key=("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes")):
    """A root and a leaf for localhost, EC P-256 unless asked otherwise, valid from now for 90 days."""
    openssl("req", "-x509", *key, "-keyout", folder / "root.key", "-out", folder / "root.pem", "-days", 90,
            "-subj", "/CN=Pavise bench root", "-addext", "keyUsage=critical,keyCertSign,cRLSign")
    openssl("req", *key, "-keyout", folder / "leaf.key", "-out", folder / "leaf.csr", "-subj", "/CN=localhost")
    (folder / "leaf.ext").write_text(
        "subjectAltName=DNS:localhost,IP:127.0.0.1\nbasicConstraints=critical,CA:FALSE\n"
        "keyUsage=critical,digitalSignature,keyEncipherment\nextendedKeyUsage=serverAuth\n"
        "subjectKeyIdentifier=hash\nauthorityKeyIdentifier=keyid\n")
    openssl("x509", "-req", "-in", folder / "leaf.csr", "-CA", folder / "root.pem", "-CAkey", folder / "root.key",
            "-CAcreateserial", "-days", 90, "-sha256", "-extfile", folder / "leaf.ext", "-out", folder / "leaf.pem")
    (folder / "chain.pem").write_text((folder / "leaf.pem").read_text() + (folder / "root.pem").read_text())


def make_files(folder):
    """A start page, 64 MB and 1 GiB without content; below / for the user `bench` with the password `password`, below /open/ for
    everybody."""
    (folder / "files").mkdir()
    (folder / "files" / "index.html").write_text("here")
    for name, size in (("large", 64 << 20), ("huge", 1 << 30)):
        with open(folder / "files" / name, "wb") as file:
            file.truncate(size)
    hashed = subprocess.run(["openssl", "passwd", "-apr1", "password"], check=True, capture_output=True, text=True)
    (folder / "users").write_text("bench:" + hashed.stdout)


class Nginx:
    """nginx in the foreground, ended with the block that uses it."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.program = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")

    def __enter__(self):
        if not self.program:
            raise SystemExit("bench: nginx is missing; install it (apt-get install nginx-light)")
        issue_certificates(self.folder)
        make_files(self.folder)
        self.http1, self.http2, self.fresh = free_port(), free_port(), free_port()
        # The first address of localhost is the one of IPv6: a refused attempt is no part of what is measured.
        listen = [f"listen 127.0.0.1:{self.fresh} ssl;"] + [f"listen [::1]:{self.fresh} ssl;"] * has_ipv6_loopback()
        text = CONFIGURATION.format(folder=self.folder, http1=self.http1, http2=self.http2, body="x" * 60,
                                    fresh_listen=" ".join(listen))
        (self.folder / "nginx.conf").write_text(text)
        self.process = subprocess.Popen(
            [self.program, "-e", str(self.folder / "error.log"), "-c", str(self.folder / "nginx.conf")])
        self.wait_for(self.http1, self.http2, self.fresh)
        return self

    def wait_for(self, *ports):
        """Waits until it listens. One that does not is ended: whoever comes later would measure beside it."""
        for port in ports:
            for _ in range(200):
                with socket.socket() as probe:
                    if self.process.poll() is None and probe.connect_ex(("127.0.0.1", port)) == 0:
                        break
                time.sleep(0.02)
            else:
                self.__exit__()
                log = self.folder / "error.log"
                raise RuntimeError(f"nginx did not start: {log.read_text()[-400:] if log.exists() else 'it said nothing'}")

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()

    @property
    def anchors(self):
        return str(self.folder / "root.pem")

    @property
    def fingerprint(self):
        text = subprocess.run(["openssl", "x509", "-in", str(self.folder / "leaf.pem"), "-noout", "-fingerprint", "-sha256"],
                              check=True, capture_output=True, text=True).stdout
        return text.split("=")[1].strip().replace(":", "").lower()

    def version(self):
        text = subprocess.run([self.program, "-v"], capture_output=True, text=True).stderr
        return text.strip().removeprefix("nginx version: ")
