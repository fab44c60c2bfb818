#!/usr/bin/env python3
"""make document-window: other people's tricks in the window of WebKitGTK, with wires across everything that could lead out.

Usage: view.py PROGRAM      a debug build of document-window; needs Xvfb, openbox, xdotool, ImageMagick's import

The tricks are shown raw, which a debug build can do, because a page that Pavise writes has none of them in it. Without any
layer the wires are tripped, or they prove nothing; with all of them nothing is. Then each layer is left out in turn: no view.
"""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "Integration"))

from corpora import Wires  # noqa: E402
from documents import vectors  # noqa: E402

LAYERS = {1: "content security policy", 2: "scripts off", 4: "temporary store", 8: "rule list", 16: "navigation refused"}
ALL, NETWORK = 63, 64
SHOWN = 6


class Screen:
    """Xvfb and openbox, which gives the window the focus."""

    def __enter__(self):
        read, write = os.pipe()
        self.server = subprocess.Popen(
            ["Xvfb", "-displayfd", str(write), "-screen", "0", "900x900x24", "-nolisten", "tcp", "-noreset"],
            pass_fds=(write,), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(write)
        number = os.read(read, 16).decode().strip()
        os.close(read)
        os.environ.pop("WAYLAND_DISPLAY", None)
        os.environ["DISPLAY"] = f":{number}"
        os.environ["GSK_RENDERER"] = "cairo"
        for _ in range(100):
            if subprocess.run(["xdotool", "getdisplaygeometry"], capture_output=True).returncode == 0:
                break
            time.sleep(0.1)
        self.windows = subprocess.Popen(["openbox"], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(1)
        return self

    def __exit__(self, *_):
        for process in (self.windows, self.server):
            process.terminate()
            process.wait()


def show(program, content, name, seconds=SHOWN, **variables):
    """Shows a document for some seconds. Gives the status where the program ended by itself, and what it said."""
    process = subprocess.Popen(
        [program, name], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
        env=os.environ | variables)
    process.stdin.write(content)
    process.stdin.close()
    try:
        status = process.wait(seconds)
    except subprocess.TimeoutExpired:
        picture = subprocess.run(["import", "-window", "root", "png:-"], capture_output=True).stdout
        process.terminate()
        process.wait()
        return None, picture, process.stderr.read().decode(errors="replace")
    return status, b"", process.stderr.read().decode(errors="replace")


def main(program):
    folder = pathlib.Path(tempfile.mkdtemp(prefix="pavise-view-"))
    try:
        (folder / "home").mkdir()
        os.environ["HOME"] = os.environ["XDG_RUNTIME_DIR"] = str(folder / "home")
        wires = Wires(folder)
        with Screen():
            tricks = ("<!DOCTYPE html><title>t</title>" + "".join(vectors())).encode()
            raw = {"DOCUMENT_RAW": "1", "DOCUMENT_UNCOVERED": "1"}
            status, _, said = show(program, tricks, "tricks.html", DOCUMENT_WITHOUT=str(ALL + NETWORK), **raw)
            bare = wires.taken()
            assert status is None, said
            print(f"without a layer: {len(bare)} times tripped")
            assert bare, "the wires were not tripped: the test proves nothing"
            for without, name in ((NETWORK, "with all layers, in everybody's network"), (ALL, "in a network of its own, without a layer"),
                                  (0, "with both")):
                status, _, said = show(program, tricks, "tricks.html", DOCUMENT_WITHOUT=str(without), **raw)
                told = wires.taken()
                assert status is None and "no network of its own" not in said, said
                print(f"{name}: {len(told)} times tripped")
                assert not told, told[:10]
            for bit, layer in LAYERS.items():
                status, _, said = show(program, b"<p>a", "letter.html", seconds=60, DOCUMENT_WITHOUT=str(bit))
                assert status == 3 and layer in said, f"without {layer}: status {status}, {said}"
                print(f"without {layer}: no view")
            letter = b"<h1>Letter</h1><p>of a <b>stranger</b> <script>x</script><a href='https://example.org/'>here</a>"
            status, picture, said = show(program, letter, "letter.html", seconds=2 * SHOWN)
            assert status is None and len(picture) > 1000, said
            pathlib.Path(os.environ.get("DOCUMENT_PICTURE", folder / "picture.png")).write_bytes(picture)
            assert not wires.taken()
            # Whoever sets its variable has given it none.
            status, _, said = show(program, letter, "letter.html", DOCUMENT_ALONE="1")
            assert status is None and "no network of its own" in said, said
            status, _, said = show(program, b"\0\1\2no document", "letter.docx", seconds=60)
            assert status == 3 and "Refused" in said, f"{status} {said}"
            print("a document is shown, and what is none is refused")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
