"""The session above the client: what it costs at each request, and how long a stored one takes to be there."""

import pathlib
import tempfile

from nginx import Nginx
from table import Row, measure, middle


def session_rows(seconds):
    with tempfile.TemporaryDirectory(prefix="pavise-bench-") as folder, Nginx(folder) as server:
        home = {"PAVISE_HOME": str(pathlib.Path(folder) / "home"), "PAVISE_TPM": "none"}
        address = f"https://localhost:{server.http1}/sixty"
        layer = measure("measure", "session-layer", address, server.anchors, 16, seconds / 2, environment=home)
    with tempfile.TemporaryDirectory(prefix="pavise-bench-") as folder:
        home = {"PAVISE_HOME": folder, "PAVISE_TPM": "none"}
        measure("measure", "session-store", environment=home)
        # Each is a process of its own: nothing is open yet.
        starts = middle([measure("measure", "session-start", environment=home) for _ in range(41)], "milliseconds")
    return [Row("session over its client, 16 in flight", layer["ours"], layer["peer"], "/s", layer["ratio"],
                layer["ratio"], 0.95, "atLeast"),
            Row("stored session, process start to token", starts, None, "ms", None, starts, 10, "atMost")]
