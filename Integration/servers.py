"""Real servers on loopback, each in a folder of its own and stopped by its process id."""

import concurrent.futures
import contextlib
import http.cookiejar
import json
import pathlib
import random
import re
import socket
import sqlite3
import subprocess
import time
import urllib.error
import urllib.parse
import urllib.request

SCHEMA = pathlib.Path("/usr/share/dbconfig-common/data/glewlwyd/install/sqlite3")
TESTED = {"glewlwyd": "2.7.5", "nginx": "1.22.1", "haproxy": "2.6.12", "apache2": "2.4", "openssl": "3.0"}

STARTING = concurrent.futures.ThreadPoolExecutor(2)


# Below those that the kernel gives to connections and to listeners that ask for any.
PORTS = iter(random.sample(range(20000, 32000), 12000))


def free_port():
    """A port that is free and that nothing else in this run gets."""
    for port in PORTS:
        with contextlib.suppress(OSError), socket.socket() as probe:
            probe.bind(("127.0.0.1", port))
            return port
    raise RuntimeError("no free port from 20000 to 31999")


def closed_port():
    """A port on which nobody listens, and the socket that keeps it so."""
    keeper = socket.socket()
    keeper.bind(("127.0.0.1", 0))
    return keeper.getsockname()[1], keeper


def run(*words, **options):
    return subprocess.run(words, check=True, capture_output=True, text=True, stdin=subprocess.DEVNULL, **options)


def versions():
    """What is installed, and whether the suite was written against it."""
    found = {
        "glewlwyd": re.search(r"[\d.]+", run("glewlwyd", "-v").stdout).group(),
        "nginx": re.search(r"nginx/([\d.]+)", run("nginx", "-v").stderr).group(1),
        "haproxy": re.search(r"version ([\d.]+)", run("haproxy", "-v").stdout).group(1),
        "apache2": re.search(r"Apache/([\d.]+)", run("/usr/sbin/apache2", "-v").stdout).group(1),
        "openssl": re.search(r"OpenSSL ([\d.]+)", run("openssl", "version").stdout).group(1),
    }
    return {name: (version, (version + ".").startswith(TESTED[name] + ".")) for name, version in found.items()}


def wait_for(port, process, seconds=180):
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if process.poll() is not None:
            raise RuntimeError(f"server ended with status {process.returncode}")
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            return
        except OSError:
            time.sleep(0.05)
    raise RuntimeError(f"nothing listens on port {port}")


class Server:
    """A child process."""

    def __init__(self, words, port, folder, **options):
        self.log = open(folder / f"{pathlib.Path(words[0]).name}.log", "ab")
        self.process = subprocess.Popen(
            words, stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log, cwd=folder, **options)
        try:
            wait_for(port, self.process)
        except RuntimeError:
            self.stop()
            raise

    def stop(self):
        self.process.terminate()
        try:
            self.process.wait(5)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.log.close()


class Site:
    """Several servers that stand for one: they start together, beside the first stories, and stop together.

    Whoever needs it waits; where it could not start, each story meets the same failure.
    """

    def __init__(self, start):
        self.parts = []
        self.started = STARTING.submit(self.begin, start)

    def begin(self, start):
        try:
            start()
        except Exception:
            self.stop_parts()
            raise

    def add(self, part):
        self.parts.append(part)
        return part

    def ready(self):
        self.started.result()
        return self

    def stop_parts(self):
        while self.parts:
            self.parts.pop().stop()

    def stop(self):
        if not self.started.cancel():
            concurrent.futures.wait([self.started])
            self.stop_parts()


class Authority:
    """A certificate authority that nobody trusts, with certificates for localhost."""

    def __init__(self, folder):
        self.folder = folder
        self.certificate = folder / "authority.pem"
        self.key = folder / "authority.key"
        run("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
            "-keyout", self.key, "-out", self.certificate, "-days", "30", "-subj", "/CN=Integration authority",
            "-addext", "basicConstraints=critical,CA:TRUE", "-addext", "keyUsage=critical,keyCertSign,cRLSign")

    def issue(self, name, key_type=("ec", "-pkeyopt", "ec_paramgen_curve:P-256")):
        """Makes `name`.pem (leaf and authority) and `name`.key."""
        key, request, leaf = (self.folder / f"{name}.{end}" for end in ("key", "csr", "leaf"))
        extensions = self.folder / f"{name}.ext"
        extensions.write_text(
            "subjectAltName=DNS:localhost,IP:127.0.0.1\nextendedKeyUsage=serverAuth\n"
            "keyUsage=critical,digitalSignature,keyEncipherment\nbasicConstraints=critical,CA:FALSE\n")
        run("openssl", "req", "-newkey", *key_type, "-nodes", "-keyout", key, "-out", request, "-subj", "/CN=localhost")
        run("openssl", "x509", "-req", "-in", request, "-CA", self.certificate, "-CAkey", self.key, "-CAcreateserial",
            "-out", leaf, "-days", "10", "-sha256", "-extfile", extensions)
        chain = self.folder / f"{name}.pem"
        chain.write_text(leaf.read_text() + self.certificate.read_text())
        return chain, key


class Nginx(Server):
    """TLS in front of glewlwyd, and a few answers that a bad server gives."""

    def __init__(self, folder, port, behind, chain, key):
        folder.mkdir(exist_ok=True)
        self.access, self.shown = folder / "access.log", folder / "shown.log"
        other = json.dumps({"issuer": "https://elsewhere.invalid", "token_endpoint": "https://elsewhere.invalid/t"})
        (folder / "large").mkdir(exist_ok=True)
        (folder / "large" / "metadata").write_text('{"issuer": "' + "x" * (2 << 20) + '"}')
        (folder / "large" / "body").write_bytes(b"\0" * (8 << 20))
        (folder / "large" / "hello").write_text("hello\n")
        secret = run("openssl", "passwd", "-apr1", "basic-canary").stdout.strip()
        (folder / "users").write_text(f"ada:{secret}\n")
        configuration = folder / "nginx.conf"
        configuration.write_text(f"""
daemon off; worker_processes 1; worker_rlimit_nofile 8192; pid {folder}/pid; error_log {folder}/error.log warn;
events {{ worker_connections 4096; }}
http {{
    map $http_dpop $proof {{ default proved; "" bare; }}
    log_format story '$request_method $uri $status';
    log_format shown '$request_method $uri $status $proof $http_authorization';
    access_log {self.access} story;
    access_log {self.shown} shown;
    client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy; fastcgi_temp_path {folder}/f;
    uwsgi_temp_path {folder}/u; scgi_temp_path {folder}/s;
    server {{
        listen 127.0.0.1:{port} ssl http2; listen [::1]:{port} ssl http2;
        server_name localhost;
        ssl_certificate {chain}; ssl_certificate_key {key};
        ssl_protocols TLSv1.2 TLSv1.3;
        location = /healthz {{ default_type text/plain; return 200 "alive\\n"; }}
        location /html/ {{ default_type application/json; return 200 "<html>hello</html>"; }}
        location /other/ {{ default_type application/json; return 200 '{other}'; }}
        location /large/ {{ alias {folder}/large/; default_type application/json; try_files /metadata =404; }}
        location /none/ {{ return 404; }}
        location = /large {{ alias {folder}/large/body; }}
        location = /away {{ return 302 https://elsewhere.invalid/; }}
        location /basic/ {{
            auth_basic "files"; auth_basic_user_file {folder}/users; default_type text/plain;
            alias {folder}/large/; try_files /hello =404;
        }}
        location / {{
            proxy_pass http://127.0.0.1:{behind};
            proxy_http_version 1.1;
            proxy_set_header Host $http_host;
            proxy_set_header X-Forwarded-Proto https;
        }}
    }}
}}
""")
        super().__init__(["nginx", "-e", str(folder / "error.log"), "-c", str(configuration)], port, folder)

    def requests(self):
        """What was asked for, one `METHOD path status` for each request."""
        return self.access.read_text().splitlines()

    def credentials(self):
        """The same, with `proved` or `bare` for a proof of possession, and the credential that was shown."""
        return [line.split(" ", 4) for line in self.shown.read_text().splitlines()]


class Glewlwyd(Server):
    """An authorization server with a fresh database, one user and one public client."""

    user, password = "ada", "correct horse battery"
    # One takes pushed requests alone; one binds tokens to keys where it is asked to; one wants a nonce of its own in each proof, and
    # another one after ten uses.
    instances = {
        "app": {}, "pushed": {"oauth-par-allowed": True, "oauth-par-required": True},
        "bound": {"oauth-dpop-allowed": True, "access-token-duration": 6},
        "nonced": {
            "oauth-dpop-allowed": True, "access-token-duration": 6, "oauth-dpop-nonce-mandatory": True,
            "oauth-dpop-nonce-counter": 10}}

    def __init__(self, folder, port, public_url, redirect):
        folder.mkdir()
        self.port, self.public_url = port, public_url
        self.issuer = self.issuer_of("app")
        database = folder / "database"
        with sqlite3.connect(database) as connection:
            connection.executescript(SCHEMA.read_text())
        text = pathlib.Path("/etc/glewlwyd/glewlwyd.conf").read_text()
        text = re.sub(r"(?m)^port=.*$", f'port={port}\nbind_address="127.0.0.1"', text)
        text = re.sub(r"(?m)^external_url=.*$", f'external_url="{public_url}/"', text)
        text = re.sub(r"(?m)^log_file=.*$", f'log_file="{folder}/glewlwyd.log"', text)
        text = re.sub(r"(?m)^@include.*$", f'database = {{ type = "sqlite3"; path = "{database}"; }};', text)
        text = text.replace("static_files_mime_types", 'static_files_path="/usr/share/glewlwyd/webapp"\nstatic_files_mime_types', 1)
        configuration = folder / "glewlwyd.conf"
        configuration.write_text(text)
        super().__init__(["glewlwyd", "--config-file", str(configuration)], port, folder)
        try:
            self.administrate(folder, redirect)
        except Exception:
            self.stop()
            raise

    def issuer_of(self, instance):
        return f"{self.public_url}/api/{instance}"

    def administrate(self, folder, redirect):
        admin = Browser(f"http://127.0.0.1:{self.port}")
        admin.send("POST", "/api/auth/", {"username": "admin", "password": "password"})
        key, public = folder / "token.key", folder / "token.pub"
        run("openssl", "genrsa", "-out", key, "2048")
        run("openssl", "rsa", "-in", key, "-pubout", "-out", public)
        for name, more in self.instances.items():
            admin.send("POST", "/api/mod/plugin/", {
                "module": "oidc", "name": name, "display_name": name,
                "parameters": self.parameters(name, key.read_text(), public.read_text()) | more})
        admin.send("POST", "/api/client/", {
            "client_id": "pavise", "name": "Pavise", "enabled": True, "confidential": False,
            "token_endpoint_auth_method": ["none"], "authorization_type": ["code", "refresh_token"],
            "redirect_uri": [redirect], "scope": ["openid"]})
        admin.send("POST", "/api/user/", {
            "username": self.user, "name": "Ada", "email": "ada@example.org", "enabled": True,
            "password": self.password, "scope": ["openid"]})

    def parameters(self, name, key, public):
        return {
            "iss": self.issuer_of(name), "jwt-type": "rsa", "jwt-key-size": "256", "key": key, "cert": public,
            "code-duration": 600, "access-token-duration": 2, "refresh-token-duration": 1209600,
            "refresh-token-rolling": True, "refresh-token-one-use": "always", "allow-non-oidc": True,
            "auth-type-code-enabled": True, "auth-type-code-revoke-replayed": True,
            "auth-type-refresh-enabled": True, "auth-type-password-enabled": False,
            "auth-type-client-enabled": False, "auth-type-implicit-enabled": False,
            "auth-type-token-enabled": False, "auth-type-device-enabled": False, "auth-type-none-enabled": False,
            "auth-type-id-token-enabled": False,
            "pkce-allowed": True, "pkce-required": True, "pkce-method-plain-allowed": False,
            "oauth-par-request_uri-prefix": "urn:pavise:", "oauth-par-duration": 90, "oauth-dpop-iat-duration": 60,
            "oauth-as-iss-id": True, "subject-type": "public",
            "introspection-revocation-allowed": True, "introspection-revocation-auth-scope": ["openid"],
            "introspection-revocation-allow-target-client": True,
            "jwks-show": True, "jwks-public-uri": "", "scope": [{"name": "openid", "refresh-token-rolling": True}],
            "name-claim": "on-demand", "email-claim": "on-demand",
            "request-parameter-allow": False, "session-management-allowed": False,
        }


class Refused(Exception):
    """An answer that is neither success nor redirect."""


class Browser:
    """Plain requests with cookies; redirects are answers, not followed."""

    class Stay(urllib.request.HTTPRedirectHandler):
        def redirect_request(self, *_):
            return None

    def __init__(self, base, context=None):
        self.base = base
        handlers = [urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar()), self.Stay()]
        if context:
            handlers.append(urllib.request.HTTPSHandler(context=context))
        self.opener = urllib.request.build_opener(*handlers)

    def send(self, method, path, content=None):
        """Sends JSON and gives status, headers, body."""
        data = None if content is None else json.dumps(content).encode()
        return self.open(method, path, data, {"Content-Type": "application/json"})

    def send_form(self, path, pairs):
        """Posts a form as a page of the same server would, and gives status, headers, body."""
        fields = {"Content-Type": "application/x-www-form-urlencoded", "Referer": self.base + "/"}
        return self.open("POST", path, urllib.parse.urlencode(pairs).encode(), fields)

    def open(self, method, path, data, fields):
        url = path if "://" in path else self.base + path
        request = urllib.request.Request(url, data, fields, method=method)
        try:
            with self.opener.open(request, timeout=20) as answer:
                return answer.status, answer.headers, answer.read()
        except urllib.error.HTTPError as error:
            with error:
                body = error.read()
            if error.code in (301, 302, 303, 307, 308):
                return error.code, error.headers, body
            raise Refused(f"{method} {path}: {error.code} {body[:300]!r}") from None
