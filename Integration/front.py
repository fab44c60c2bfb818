"""What stands before a server that speaks plain HTTP: nginx for the TLS, and behind it a gate that can hold one answer back."""

import http.client
import http.server
import threading

from servers import Server, free_port


class Hold:
    """One exchange that stops at the gate: `answered` when the server has acted already, else before it was asked."""

    def __init__(self, path, answered):
        self.path, self.answered = path, answered
        self.reached, self.decided = threading.Event(), threading.Event()
        self.passes = False

    def wait(self):
        assert self.reached.wait(30), f"nobody asked for {self.path}"

    def pass_on(self):
        """Lets the exchange go on."""
        self.passes = True
        self.decided.set()

    def drop(self):
        """Ends the connection without an answer."""
        self.decided.set()

    def stop_here(self):
        """Tells whoever waits, and gives whether the exchange goes on."""
        self.reached.set()
        self.decided.wait(30)
        return self.passes


class Gate:
    """A proxy on loopback. It remembers what was asked and answered, and knows nothing of OAuth."""

    def __init__(self, behind):
        self.behind = behind
        # Each `METHOD path status`; the addresses that the server is made not to have; the exchange to stop.
        self.seen, self.missing, self.hold = [], set(), None
        self.refused = set()
        gate = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                gate.exchange(self)

            do_POST = do_GET

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def hold_next(self, path, answered=True):
        """Stops the next exchange whose path holds `path`."""
        self.hold = Hold(path, answered)
        return self.hold

    def refuse_next(self, path):
        """Refuses the access token of the next request for `path`, as the server of a resource may at any time."""
        self.refused.add(path)

    def count(self, words):
        """How many exchanges hold `words`, such as `POST /token 200`."""
        return sum(all(word in line.split() for word in words.split()) for line in self.seen)

    def exchange(self, asked):
        asked.close_connection = True
        path = asked.path.split("?")[0]
        body = asked.rfile.read(int(asked.headers.get("Content-Length", 0)))
        hold, self.hold = (self.hold, None) if self.hold and self.hold.path in path else (None, self.hold)
        if hold and not hold.answered and not hold.stop_here():
            return
        status, fields, answer = self.own_word(path) or self.ask(asked, body)
        self.seen.append(f"{asked.command} {path} {status}")
        if hold and hold.answered and not hold.stop_here():
            return
        asked.send_response_only(status)
        for name, value in fields:
            if name.lower() not in ("connection", "transfer-encoding", "content-length"):
                asked.send_header(name, value)
        asked.send_header("Content-Length", str(len(answer)))
        asked.send_header("Connection", "close")
        asked.end_headers()
        asked.wfile.write(answer)

    def own_word(self, path):
        if path in self.missing:
            return 404, [], b""
        if path in self.refused:
            self.refused.remove(path)
            return 401, [("WWW-Authenticate", 'Bearer error="invalid_token"')], b""
        return None

    def ask(self, asked, body):
        connection = http.client.HTTPConnection("127.0.0.1", self.behind, timeout=30)
        try:
            connection.request(asked.command, asked.path, body, dict(asked.headers))
            answer = connection.getresponse()
            return answer.status, answer.getheaders(), answer.read()
        finally:
            connection.close()

    def stop(self):
        self.server.shutdown()
        self.server.server_close()


class Front(Server):
    """nginx with TLS on a free port, which hands everything to the gate."""

    def __init__(self, folder, gate, chain, key):
        folder.mkdir()
        self.port, self.access = free_port(), folder / "access.log"
        configuration = folder / "nginx.conf"
        configuration.write_text(f"""
daemon off; worker_processes 1; worker_rlimit_nofile 8192; pid {folder}/pid; error_log {folder}/error.log warn;
events {{ worker_connections 4096; }}
http {{
    log_format story '$request_method $uri $status';
    access_log {self.access} story;
    client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy; fastcgi_temp_path {folder}/f;
    uwsgi_temp_path {folder}/u; scgi_temp_path {folder}/s;
    server {{
        listen 127.0.0.1:{self.port} ssl http2; server_name localhost;
        ssl_certificate {chain}; ssl_certificate_key {key}; ssl_protocols TLSv1.2 TLSv1.3;
        location / {{
            proxy_pass http://127.0.0.1:{gate.port};
            proxy_http_version 1.1; proxy_next_upstream off;
            proxy_set_header Host $http_host;
            proxy_set_header X-Forwarded-Proto https;
        }}
    }}
}}
""")
        super().__init__(["nginx", "-e", str(folder / "error.log"), "-c", str(configuration)], self.port, folder)

    def delivered(self):
        """What was answered to the end, one `METHOD path status` for each."""
        return self.access.read_text().splitlines()
