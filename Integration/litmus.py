"""litmus, the test suite of WebDAV servers, against the lab's own: what `pavise sync` is tested with keeps to RFC 4918."""

import json
import re
import shutil
import signal
import subprocess
import tempfile

from stories import story

SUITES = ("basic", "copymove", "props", "locks", "http")


@story("litmus finds that the lab's WebDAV server keeps to RFC 4918")
def litmus(stage):
    if shutil.which("litmus") is None:
        return stage.skip("litmus is not installed; run Scripts/bootstrap integration")
    lab = subprocess.Popen([stage.program.binary + "-lab", "files", "--plain", "--json"], stdout=subprocess.PIPE, text=True,
                           env=stage.program.environment())
    try:
        said = json.loads(lab.stdout.readline())
        with tempfile.TemporaryDirectory(prefix="litmus-", dir=stage.folder) as folder:
            done = subprocess.run(
                ["litmus", "-k", said["address"].replace("localhost", "127.0.0.1"), said["user"], said["password"]], cwd=folder, capture_output=True, text=True, timeout=300,
                env=stage.program.environment())
        ends = re.findall(r"summary for `(\w+)': of (\d+) tests run: (\d+) passed, (\d+) failed", done.stdout)
        assert [name for name, *_ in ends] == list(SUITES), done.stdout
        assert all(failed == "0" and int(run) > 0 for _, run, _, failed in ends), done.stdout
        # A warning is what a server may do otherwise, and should not.
        assert "WARNING" not in done.stdout, done.stdout
        stage.note(", ".join(f"{name} {passed}" for name, _, passed, _ in ends))
    finally:
        lab.send_signal(signal.SIGINT)
        lab.wait(timeout=60)
