"""A WebDAV server in memory that speaks ownCloud's and Nextcloud's dialect, for `pavise sync` and its peers alike.

Its conditions hold, it has no locks, and a hook runs before each write: a second writer comes at a chosen one.
"""

import base64
import email.utils
import hashlib
import http.server
import io
import json
import posixpath
import ssl
import threading
import time
import urllib.parse
from xml.sax.saxutils import escape

WRITES = ("PUT", "DELETE", "MOVE", "MKCOL")
STATUS = {"installed": True, "maintenance": False, "needsDbUpgrade": False, "version": "27.1.0.0", "versionstring": "27.1.0",
          "edition": "", "productname": "Nextcloud", "extendedSupport": False}
CAPABILITIES = {"version": {"major": 27, "minor": 1, "micro": 0, "string": "27.1.0", "edition": "", "extendedSupport": False},
                "capabilities": {"core": {"pollinterval": 60, "webdav-root": "remote.php/webdav"},
                                 "dav": {"chunking": ""}, "files": {"bigfilechunking": False, "undelete": False, "versioning": False}}}


class Tree:
    """Files and folders by path, `/` first; each has a number that survives renames and a tag that changes with its content."""

    def __init__(self):
        self.lock = threading.RLock()
        self.counter, self.nodes = 0, {}
        self.hook = lambda method, path: None
        self.writes = 0
        # Asked before each exchange: a status to answer instead, "cut" for half an answer, "lost" for none, or nothing.
        self.fault = lambda method: None
        self.add("/", None)

    def add(self, path, content, when=None):
        with self.lock:
            self.counter += 1
            old = self.nodes.get(path)
            self.nodes[path] = {"id": old["id"] if old else self.counter, "tag": self.counter, "content": content,
                                "time": when or time.time()}
            self.touch(path)
            return self.nodes[path]

    def touch(self, path):
        # As at ownCloud and Nextcloud: each change is seen in the tags of all folders above it.
        while path != "/":
            path = posixpath.dirname(path)
            if path in self.nodes:
                self.counter += 1
                self.nodes[path]["tag"] = self.counter

    def remove(self, path):
        with self.lock:
            for other in [name for name in self.nodes if name == path or name.startswith(path.rstrip("/") + "/")]:
                if other != "/":
                    del self.nodes[other]
            self.touch(path)

    def contents(self):
        with self.lock:
            return {path: node["content"] for path, node in self.nodes.items() if node["content"] is not None}

    def come(self, method, path):
        self.writes += 1
        self.hook(method, path)


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server_version = "PaviseDialect/1"

    def log_message(self, *_):
        pass

    def answer(self, status, body=b"", **fields):
        self.send_response(status)
        for name, value in fields.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def said(self, data):
        self.answer(200, json.dumps({"ocs": {"meta": {"status": "ok", "statuscode": 100, "message": "OK"}, "data": data}}).encode(),
                    Content_Type="application/json; charset=utf-8")

    def place(self, address):
        """The path below the person's files; `None` for another."""
        path = urllib.parse.unquote(urllib.parse.urlsplit(address).path)
        for root in ("/remote.php/dav/files/ada", "/remote.php/webdav"):
            if path == root or path.startswith(root + "/"):
                self.root = root
                return posixpath.normpath("/" + path[len(root):].strip("/"))
        return None

    def handle_one(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        if self.headers.get("Transfer-Encoding", "").lower() == "chunked":
            body = self.chunks()
        path = self.path.split("?")[0]
        if path.endswith("/status.php"):
            return self.answer(200, json.dumps(STATUS).encode(), Content_Type="application/json")
        wanted = "Basic " + base64.b64encode(f"ada:{self.server.password}".encode()).decode()
        if self.headers.get("Authorization") != wanted:
            return self.answer(401, WWW_Authenticate='Basic realm="files of ada"')
        if path.endswith("/cloud/capabilities"):
            return self.said(CAPABILITIES)
        if path.endswith(("/cloud/user", "/cloud/users/ada")):
            return self.said({"id": "ada", "display-name": "Ada", "displayname": "Ada", "email": ""})
        place = self.place(self.path)
        if place is None:
            return self.answer(404)
        fault = self.server.tree.fault(self.command)
        if isinstance(fault, int):
            return self.answer(fault)
        if fault:
            return self.break_off(place, body, keeps_half=fault == "cut")
        self.act(place, body)

    def act(self, place, body):
        tree = self.server.tree
        if self.command in WRITES:
            tree.come(self.command, place)
        with tree.lock:
            getattr(self, "dav_" + self.command.lower(), lambda *_: self.answer(405))(tree, place, body)

    def break_off(self, place, body, keeps_half):
        """Does what was asked, and ends the connection in the middle of the answer or before it."""
        connection, self.wfile = self.wfile, io.BytesIO()
        self.act(place, body)
        answer, self.wfile = self.wfile.getvalue(), connection
        if keeps_half:
            self.wfile.write(answer[:len(answer) // 2])
        self.close_connection = True

    do_GET = do_HEAD = do_PUT = do_DELETE = do_MOVE = do_MKCOL = do_PROPFIND = do_OPTIONS = do_LOCK = do_UNLOCK = handle_one
    do_PROPPATCH = do_REPORT = do_POST = do_COPY = handle_one

    def chunks(self):
        body = b""
        while size := int(self.rfile.readline().split(b";")[0], 16):
            body += self.rfile.read(size)
            self.rfile.readline()
        self.rfile.readline()
        return body

    def refused(self, node):
        """RFC 9110 §13.1: what a condition of the request says."""
        tag = f'"{node["tag"]}"' if node else None
        wanted, unwanted = self.headers.get("If-Match"), self.headers.get("If-None-Match")
        return (wanted is not None and (node is None or wanted not in ("*", tag))) or (unwanted == "*" and node is not None)

    def facts(self, node):
        return {"ETag": f'"{node["tag"]}"', "OC_ETag": f'"{node["tag"]}"', "OC_FileId": f"{node['id']:08}ocx"}

    def dav_options(self, tree, place, body):
        self.answer(200, DAV="1", Allow="OPTIONS, GET, HEAD, PUT, DELETE, MOVE, MKCOL, PROPFIND")

    def dav_get(self, tree, place, body):
        node = tree.nodes.get(place)
        if node is None or node["content"] is None:
            return self.answer(404 if node is None else 405)
        self.answer(200, node["content"], Last_Modified=email.utils.formatdate(node["time"], usegmt=True), **self.facts(node))

    dav_head = dav_get

    def dav_put(self, tree, place, body):
        node = tree.nodes.get(place)
        if self.refused(node):
            return self.answer(412)
        if posixpath.dirname(place) not in tree.nodes:
            return self.answer(409)
        when = float(self.headers.get("X-OC-Mtime") or time.time())
        made = tree.add(place, body, when)
        self.answer(204 if node else 201, X_OC_MTime="accepted", **self.facts(made))

    def dav_mkcol(self, tree, place, body):
        if place in tree.nodes or posixpath.dirname(place) not in tree.nodes:
            return self.answer(405 if place in tree.nodes else 409)
        self.answer(201, **self.facts(tree.add(place, None)))

    def dav_delete(self, tree, place, body):
        node = tree.nodes.get(place)
        if node is None or self.refused(node):
            return self.answer(404 if node is None else 412)
        tree.remove(place)
        self.answer(204)

    def dav_move(self, tree, place, body):
        node, target = tree.nodes.get(place), self.place(self.headers.get("Destination", ""))
        if node is None or target is None or posixpath.dirname(target) not in tree.nodes:
            return self.answer(404 if node is None else 409)
        is_there = target in tree.nodes
        if self.refused(node) or (is_there and self.headers.get("Overwrite") == "F"):
            return self.answer(412)
        moved = {path: it for path, it in tree.nodes.items() if path == place or path.startswith(place + "/")}
        tree.remove(target)
        tree.remove(place)
        for path, it in moved.items():
            tree.nodes[target + path[len(place):]] = it
        tree.touch(target)
        self.answer(204 if is_there else 201, **self.facts(node))

    def dav_propfind(self, tree, place, body):
        depth = self.headers.get("Depth", "infinity")
        if depth == "infinity":
            return self.answer(403)
        if place not in tree.nodes:
            return self.answer(404)
        found = [place] + [path for path in sorted(tree.nodes) if depth == "1" and path != "/" and posixpath.dirname(path) == place]
        rows = "".join(self.row(tree, path) for path in found)
        text = ('<?xml version="1.0"?><d:multistatus xmlns:d="DAV:" xmlns:oc="http://owncloud.org/ns" '
                f'xmlns:nc="http://nextcloud.org/ns">{rows}</d:multistatus>')
        self.answer(207, text.encode(), Content_Type="application/xml; charset=utf-8")

    def row(self, tree, path):
        node = tree.nodes[path]
        is_folder = node["content"] is None
        size = sum(len(it["content"] or b"") for name, it in tree.nodes.items() if name.startswith(path.rstrip("/") + "/")) \
            if is_folder else len(node["content"])
        href = self.root + urllib.parse.quote(path if not is_folder or path == "/" else path + "/")
        kind = "<d:collection/>" if is_folder else ""
        length = "" if is_folder else (f"<d:getcontentlength>{size}</d:getcontentlength>"
                                       f"<oc:checksums><oc:checksum>SHA1:{hashlib.sha1(node['content']).hexdigest()}</oc:checksum></oc:checksums>")
        return (f"<d:response><d:href>{escape(href)}</d:href><d:propstat><d:prop><d:resourcetype>{kind}</d:resourcetype>"
                f"<d:getlastmodified>{email.utils.formatdate(node['time'], usegmt=True)}</d:getlastmodified>{length}"
                f"<d:getetag>&quot;{node['tag']}&quot;</d:getetag><oc:id>{node['id']:08}ocx</oc:id><oc:fileid>{node['id']}</oc:fileid>"
                f"<oc:permissions>{'RGDNVCK' if is_folder else 'RGDNVW'}</oc:permissions><oc:size>{size}</oc:size>"
                "</d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response>")


class Dialect(http.server.ThreadingHTTPServer):
    """Listens on loopback, over TLS."""

    daemon_threads = True

    def __init__(self, port, chain, key, password):
        self.tree, self.password = Tree(), password
        self.tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.tls.load_cert_chain(chain, key)
        super().__init__(("127.0.0.1", port), Handler)
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def get_request(self):
        connection, address = super().get_request()
        # The handshake is the connection's own thread's.
        return self.tls.wrap_socket(connection, server_side=True, do_handshake_on_connect=False), address

    def handle_error(self, request, client_address):
        pass

    def stop(self):
        self.shutdown()
        self.server_close()
