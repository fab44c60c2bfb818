"""A large file there and back over connections that end in the middle, with little memory: small here, 1 GiB in `make bench`."""

import pathlib
import sys
import tempfile

from stories import story

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent / "Benchmarks"))
from sync import PARTS, large_rows  # noqa: E402

# In MiB: more than the memory that the marks allow.
SIZE, CUTS = 128, 8


@story("a file of 128 MiB goes to a server and comes back over connections that are cut, with less memory than it has")
def large_files(stage):
    for parts in PARTS:
        with tempfile.TemporaryDirectory(prefix="large-", dir=stage.folder) as folder:
            for row in large_rows(pathlib.Path(stage.program.binary), pathlib.Path(folder), SIZE, parts, CUTS):
                stage.note(f"{row.name}: {row.figure:.0f} MB; {row.note}")
                assert row.verdict == "ok", f"{row.name}: {row.figure:.0f} MB, and {row.bar} are allowed"
