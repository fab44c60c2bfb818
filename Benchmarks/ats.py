"""ATS: the time of one decision, and of a whole diagnosis, process start included, of three servers of nginx."""

import os
import pathlib
import subprocess
import tempfile

from nginx import Nginx, free_port, issue_certificates
from table import Row, measure

SERVERS = {"good": ("TLSv1.2 TLSv1.3", "HIGH", 0),
           "RSA key transport only": ("TLSv1.2", "AES128-GCM-SHA256:AES256-GCM-SHA384:@SECLEVEL=0", 1),
           "TLS 1.0 and 1.1 only": ("TLSv1 TLSv1.1", "ECDHE-RSA-AES128-SHA:ECDHE-RSA-AES256-SHA:@SECLEVEL=0", 1)}
# The library's own configuration may forbid what two of the servers are there for.
WEAK_LIBRARY = """openssl_conf = main
[main]
ssl_conf = tls
[tls]
system_default = weak
[weak]
MinProtocol = TLSv1
CipherString = DEFAULT:@SECLEVEL=0
"""


class WeakNginx(Nginx):
    """One port for each server."""

    def __enter__(self):
        if not self.program:
            raise SystemExit("bench: nginx is missing; install it (apt-get install nginx-light)")
        issue_certificates(self.folder, ["-newkey", "rsa:2048", "-nodes"])
        self.ports = {name: free_port() for name in SERVERS}
        folders = [f"{kind}_temp_path {self.folder}/{kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")]
        servers = [f"server {{ listen 127.0.0.1:{self.ports[name]} ssl; ssl_protocols {versions}; ssl_ciphers {suites}; }}"
                   for name, (versions, suites, _) in SERVERS.items()]
        (self.folder / "nginx.conf").write_text(
            f"daemon off; master_process off; pid {self.folder}/nginx.pid; error_log {self.folder}/error.log warn;\n"
            f"events {{ worker_connections 256; }}\nhttp {{ access_log off; {' '.join(folders)}\n"
            f"ssl_certificate {self.folder}/chain.pem; ssl_certificate_key {self.folder}/leaf.key;\n"
            + "\n".join(servers) + "\n}\n")
        (self.folder / "openssl.cnf").write_text(WEAK_LIBRARY)
        self.process = subprocess.Popen(
            [self.program, "-e", str(self.folder / "error.log"), "-c", str(self.folder / "nginx.conf")],
            env={**os.environ, "OPENSSL_CONF": str(self.folder / "openssl.cnf")})
        self.wait_for(*self.ports.values())
        return self


def ats_rows(program):
    figures = measure("measure", "ats-decision")
    names = {"deepName": "ATS decision, name under an entry of 250", "unlistedName": "ATS decision, name without an entry",
             "address": "ATS decision, address in 50 ranges"}
    rows = [Row(name, figures[f"{key}Nanoseconds"], None, "ns", None, figures[f"{key}Nanoseconds"], 1000, "atMost")
            for key, name in names.items()]
    with tempfile.TemporaryDirectory(prefix="pavise-bench-") as folder, WeakNginx(pathlib.Path(folder)) as server:
        for name, (_, _, status) in SERVERS.items():
            run = measure("measure-process", 20, program, "ats", "diagnose", "https://localhost", "--anchors",
                          server.anchors, "--connect", f"127.0.0.1:{server.ports[name]}")
            note = "" if run["status"] == status else f"exit {run['status']}"
            rows.append(Row(f"pavise ats diagnose, {name}", run["milliseconds"], None, "ms", None,
                            run["milliseconds"] if not note else None, 100, "atMost", note))
    return rows
