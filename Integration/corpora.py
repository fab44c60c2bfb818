#!/usr/bin/env python3
"""make corpora: other people's payloads as pages in a real browser, with wires across everything that could lead out.

Usage: corpora.py PROGRAM FOLDER…      folders with payload collections; nothing of them is kept
       corpora.py --vectors NUMBER…    these of our own vectors, each alone, as it is: ends with 1 where one trips no wire,
                                       and with 77 where there is no browser, or no right to make a namespace

Taken are: each line of a .txt, each payload of DOMPurify's expect.mjs, each #data of html5lib's .dat, each input of Loofah's
JSON .dat, each vector of Tests/DocumentsTests, each block of code of a .md, and each .html, .svg, .xml and their like as a
whole. Each is a document
of its own: as it is, in a frame that may run scripts, which shows what it does unprotected; and as the page that
`pavise document convert` makes of it, without a frame's protection.

The browser runs in a namespace where every IPv4 address is this machine (a local route), ports 80, 443, 8080 and 8000 listen,
every name is asked of a server of ours (UDP 53), and what a page requests, runs or asks for in a dialog is told by the
browser itself. Before anything else our own vectors are shown as they are: wires that none of them trips are no wires.
The tree that the browser made of a page is looked through as well: no element, attribute or address that the closed
alphabet has not. Ends with 1 when a page did anything, was not shown, a payload could not be converted and not refused, or a
wire is blind.
"""

import concurrent.futures
import ctypes
import json
import os
import pathlib
import re
import shutil
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time

from chromium import Chromium, missing

# Payloads of ours that act where nothing keeps them from it.
VECTORS = pathlib.Path(__file__).resolve().parent.parent / "Tests" / "DocumentsTests"
CLONE_NEWNS, CLONE_NEWNET = 0x20000, 0x40000000
WHOLE = {".html", ".htm", ".xhtml", ".xht", ".svg", ".xml", ".xsl", ".xslt", ".rdf", ".hxt", ".mno", ".vml", ".wsdl", ".xsd", ".xsf",
         ".demo", ".cer"}
BATCH = 40
# What DocumentPage writes: PageElement and the three without an end, and the frame of the page.
ELEMENTS = set("""P DIV H1 H2 H3 H4 H5 H6 UL OL LI DL DT DD TABLE CAPTION THEAD TBODY TR TD TH BLOCKQUOTE PRE CODE STRONG EM U S SUB SUP
                  SPAN BR HR IMG HTML HEAD BODY META STYLE""".split())
# Runs in every frame before anything of it: tells dialogs, and in the end what the tree is.
WATCHER = """(() => {
  const tell = (kind, what) => trip(JSON.stringify([kind, location.href, String(what).slice(0, 200)]));
  for (const name of ['alert', 'confirm', 'prompt', 'print', 'open']) window[name] = (value) => { tell('script', name); };
  document.addEventListener('securitypolicyviolation', (event) => tell('refused', event.violatedDirective));
  const look = () => {
    const allowed = new Set(%s), foreign = [];
    for (const element of document.querySelectorAll('*')) {
      if (!allowed.has(element.tagName)) foreign.push(element.tagName);
      for (const attribute of element.attributes) {
        const text = attribute.name + '=' + attribute.value;
        if (/^on/i.test(attribute.name) || ['href', 'action', 'formaction', 'srcset', 'style', 'background', 'ping'].includes(attribute.name)
            || attribute.name == 'src' && !/^data:image\\/(png|jpeg|gif|webp);base64,/.test(attribute.value)) foreign.push(text);
      }
    }
    tell('seen', foreign.join(' '));
  };
  if (location.protocol == 'file:' && window !== top) addEventListener('load', () => setTimeout(look, 30));
})()"""


def payloads(folder):
    """Every payload below a folder, with the ending of the file that it becomes."""
    for path in sorted(pathlib.Path(folder).rglob("*")):
        if not path.is_file():
            continue
        text = path.read_bytes().decode("utf-8", "replace")
        if path.suffix == ".txt":
            yield from ((".html", line) for line in text.splitlines() if line.strip())
        elif path.name == "Vectors.swift":
            yield from ((".html", vector) for vector in re.findall(r'^        #"(.*)"#,$', text, re.M))
        elif path.name == "expect.mjs":
            yield from ((".html", json.loads(found)) for found in re.findall(r'"payload":\s*("(?:[^"\\]|\\.)*")', text))
        elif path.suffix == ".dat" and text.lstrip().startswith("["):
            yield from ((".html", json.loads(found)) for found in re.findall(r'"input":\s*("(?:[^"\\]|\\.)*")', text))
        elif path.suffix == ".dat":
            yield from ((".html", part.split("\n#errors", 1)[0]) for part in re.split(r"(?:^|\n)#data\n", text)[1:])
        elif path.suffix == ".md":
            yield (".md", text)
            yield from ((".html", code) for code in re.findall(r"```\w*\n(.*?)```", text, re.S))
        elif path.suffix.lower() in WHOLE:
            yield (".html", text)


class NoWires(Exception):
    """This process may not make a namespace."""


class Wires:
    """A namespace of this process that has nothing but wires: every address and every name is this machine."""

    def __init__(self, folder):
        if ctypes.CDLL(None, use_errno=True).unshare(CLONE_NEWNS | CLONE_NEWNET) != 0:
            raise NoWires("corpora: wires need a network namespace, and the right to make one")
        (folder / "resolv.conf").write_text("nameserver 127.0.0.1\noptions timeout:1 attempts:1\n")
        (folder / "nsswitch.conf").write_text("hosts: dns\n")
        for words in (
                ["mount", "--make-rprivate", "/"], ["mount", "--bind", str(folder / "resolv.conf"), "/etc/resolv.conf"],
                ["mount", "--bind", str(folder / "nsswitch.conf"), "/etc/nsswitch.conf"], ["ip", "link", "set", "lo", "up"],
                # An address beside loopback's: without one the C library asks for no name (AI_ADDRCONFIG).
                ["ip", "link", "add", "wire0", "type", "veth", "peer", "name", "wire1"],
                ["ip", "address", "add", "10.77.0.1/24", "dev", "wire0"], ["ip", "link", "set", "wire0", "up"],
                ["ip", "link", "set", "wire1", "up"], ["ip", "route", "add", "local", "0.0.0.0/0", "dev", "lo"]):
            subprocess.run(words, check=True, capture_output=True)
        self.tripped = []
        self.sockets = []
        for port in (80, 443, 8080, 8000):
            listener = socket.create_server(("0.0.0.0", port), backlog=128)
            self.sockets.append(listener)
            threading.Thread(target=self.accept, args=(listener, port), daemon=True).start()
        names = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        names.bind(("127.0.0.1", 53))
        self.sockets.append(names)
        threading.Thread(target=self.answer, args=(names,), daemon=True).start()

    def accept(self, listener, port):
        while True:
            connection, _ = listener.accept()
            self.tripped.append(("connection", str(port)))
            connection.settimeout(0.5)
            try:
                connection.recv(4096)
                if port != 443:
                    connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
            except OSError:
                pass
            connection.close()

    def answer(self, names):
        """Every name is 127.0.0.1; there are no others of it."""
        while True:
            question, place = names.recvfrom(4096)
            labels, at = [], 12
            while at < len(question) and question[at]:
                labels.append(question[at + 1:at + 1 + question[at]].decode("ascii", "replace"))
                at += 1 + question[at]
            kind = question[at + 1:at + 3]
            self.tripped.append(("name", ".".join(labels)))
            count = 1 if kind == b"\0\1" else 0
            answer = question[:2] + struct.pack(">HHHHH", 0x8180, 1, count, 0, 0) + question[12:at + 5]
            if count:
                answer += b"\xc0\x0c\0\1\0\1\0\0\0\1\0\4\x7f\0\0\1"
            names.sendto(answer, place)

    def taken(self):
        found, self.tripped = self.tripped, []
        return found


class Browser(Chromium):
    """Opens files in frames and listens to what they do."""

    # Nothing of the browser's own goes out.
    FLAGS = ["--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run", "--no-pings",
             "--disable-domain-reliability", "--disable-features=IsolateSandboxedIframes,OptimizationHints,MediaRouter",
             "--allow-file-access-from-files", "--no-proxy-server", "--dns-over-https-mode=off",
             # What is left of it goes to its maker, and is answered without a name asked. A page's request there is told all the same.
             "--host-resolver-rules=" + ", ".join(
                 f"MAP {host} ~NOTFOUND" for host in ("*.google.com", "*.googleapis.com", "*.gstatic.com", "*.gvt1.com"))]

    def __init__(self, folder):
        super().__init__(folder, "", self.FLAGS)
        self.folder, self.events = folder, []
        try:
            self.listen()
        except BaseException:
            self.stop()
            raise

    def listen(self):
        target = self.ask("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Network", "Runtime"):
            self.ask(f"{domain}.enable", self.session)
        self.ask("Runtime.addBinding", self.session, name="trip")
        self.ask("Page.addScriptToEvaluateOnNewDocument", self.session, source=WATCHER % json.dumps(sorted(ELEMENTS)))

    def read(self):
        message = super().read()
        if "method" in message:
            self.events.append(message)
        return message

    def show(self, files, sandbox, longest=20):
        """Shows files in frames, until each of them was seen; gives what happened: (kind, file, what)."""
        self.ask("Page.navigate", self.session, url="about:blank")
        self.events.clear()
        guard = f' sandbox="{sandbox}"' if sandbox is not None else ""
        host = self.folder / "host.html"
        host.write_text("<!DOCTYPE html>" + "".join(f'<iframe src="{file.as_uri()}"{guard}></iframe>' for file in files))
        self.ask("Page.navigate", self.session, url=host.as_uri())
        wanted, seen, end = {file.as_uri() for file in files}, set(), time.monotonic() + longest
        happened, read = [], 0
        while time.monotonic() < end and seen != wanted:
            self.ask("Target.getTargets")
            read = self.note(read, seen, happened)
            time.sleep(0.02)
        time.sleep(0.15)
        self.ask("Target.getTargets")
        self.note(read, seen, happened)
        return seen & wanted, happened

    def note(self, read, seen, happened):
        for event in self.events[read:]:
            given = event["params"]
            if event["method"] == "Runtime.bindingCalled" and given["name"] == "trip":
                kind, address, what = json.loads(given["payload"])
                if kind == "seen":
                    seen.add(address)
                    if what:
                        happened.append(("foreign", address, what))
                elif kind == "script":
                    happened.append((kind, address, what))
            elif event["method"] == "Network.requestWillBeSent":
                address = given["request"]["url"]
                if not address.startswith(("file:", "data:", "about:", "blob:")):
                    happened.append(("request", given["documentURL"], address[:200]))
            elif event["method"] == "Page.javascriptDialogOpening":
                happened.append(("script", given["url"], "dialog"))
                self.ask("Page.handleJavaScriptDialog", self.session, accept=False)
        return len(self.events)


def convert(program, document, page):
    """Whether a page was made; a refusal (status 3) shows nothing."""
    answer = subprocess.run(
        [program, "document", "convert", str(document), str(page)], stdin=subprocess.DEVNULL, capture_output=True,
        text=True, timeout=120)
    if answer.returncode not in (0, 3):
        raise SystemExit(f"corpora: {document}: status {answer.returncode}: {answer.stderr}")
    return answer.returncode == 0


def played(browser, wires, files, sandbox):
    """Shows all files in batches; a browser that went away is another one then."""
    shown, happened, names = 0, [], []
    for start in range(0, len(files), BATCH):
        seen, told = browser.show(files[start:start + BATCH], sandbox)
        shown += len(seen)
        happened += told
        names += wires.taken()
    return shown, happened, names


def tally(happened, wires):
    count = {kind: len([one for one in happened if one[0] == kind]) for kind in ("script", "request", "foreign")}
    return count | {kind: len([one for one in wires if one[0] == kind]) for kind in ("name", "connection")}


def expect_wires(browser, wires, folder):
    """Ends the run where a wire is blind: zero of everything would say nothing."""
    files = []
    for ending, text in payloads(VECTORS):
        files.append(folder / f"vector-{len(files)}{ending}")
        files[-1].write_text(text)
    _, happened, tripped = played(browser, wires, files, "allow-scripts")
    seen = tally(happened, tripped)
    blind = [kind for kind in ("script", "request", "name", "connection") if not seen[kind]]
    if blind:
        raise SystemExit(f"corpora: none of our own {len(files)} vectors, shown as they are, trips the wire for: {', '.join(blind)}")
    print(f"our own vectors as they are: {json.dumps(seen)}", flush=True)


def vectors_alone(numbers):
    """What each of these vectors of ours does as it is, in a browser that has seen nothing before."""
    if missing():
        return 77
    texts, silent = list(payloads(VECTORS)), []
    with tempfile.TemporaryDirectory(prefix="pavise-vectors-") as name:
        folder = pathlib.Path(name)
        try:
            wires = Wires(folder)
        except NoWires:
            return 77
        for number in numbers:
            ending, text = texts[number - 1]
            document = folder / f"vector-{number}{ending}"
            document.write_text(text)
            browser = Browser(folder)
            try:
                time.sleep(1)
                wires.taken()
                seen = tally(*played(browser, wires, [document], "allow-scripts")[1:])
            finally:
                browser.stop()
                shutil.rmtree(folder / "chromium", ignore_errors=True)
            print(f"vector {number} as it is: {json.dumps(seen)}", flush=True)
            if not any(seen[kind] for kind in ("script", "request", "name", "connection")):
                silent.append(number)
    return 1 if silent else 0


def main(program, folders):
    if missing():
        sys.exit(f"corpora: {missing()}")
    folder = pathlib.Path(tempfile.mkdtemp(prefix="pavise-corpora-"))
    try:
        documents, pages = [], []
        for source in folders:
            before = len(documents)
            for ending, text in payloads(source):
                document = folder / f"{len(documents)}{ending}"
                document.write_text(text, errors="replace")
                documents.append(document)
            print(f"{source}: {len(documents) - before} payloads", flush=True)
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            made = list(pool.map(lambda one: convert(program, one, folder / f"{one.stem}-page.html"), documents))
        pages = [folder / f"{document.stem}-page.html" for document, is_made in zip(documents, made) if is_made]
        wires = Wires(folder)
        browser = Browser(folder)
        try:
            time.sleep(2)
            own = wires.taken()
            expect_wires(browser, wires, folder)
            shown, happened, tripped = played(browser, wires, pages, None)
            protected = tally(happened, tripped)
            if os.environ.get("PAVISE_UNPROTECTED") != "0":
                # Only what the frame lets it do: it cannot take the browser away with it. Each in a frame of its own kind.
                bare = [one for one in documents if one.suffix == ".html"]
                _, alone, wired = played(browser, wires, bare, "allow-scripts")
                acting = {address for kind, address, _ in alone if kind in ("script", "request")}
                print(f"as they are: {len(acting)} of {len(bare)} act: {json.dumps(tally(alone, wired))}")
        finally:
            browser.stop()
        print(f"as pages: {len(documents)} payloads, {len(documents) - len(pages)} refused, {shown} of {len(pages)} pages shown; "
              f"{json.dumps(protected)}" + (f"; the browser's own before them: {own}" if own else ""))
        for one in (happened + tripped)[:10]:
            print("DID", one)
        return 1 if any(protected.values()) or shown != len(pages) or not pages else 0
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    if sys.argv[1] == "--vectors":
        sys.exit(vectors_alone([int(number) for number in sys.argv[2:]]))
    try:
        sys.exit(main(sys.argv[1], sys.argv[2:]))
    except NoWires as problem:
        sys.exit(str(problem))
