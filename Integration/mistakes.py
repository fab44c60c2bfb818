"""Bad input and bad surroundings: each has a status and a message that says what to do, and loses nothing."""

import os
import pathlib
import resource
import signal

from stories import expect, story


@story("mistakes on the command line are named, with what to write instead")
def usage(stage):
    run = stage.program.run
    expect(run("--jsn"), 2, "There is no option")
    expect(run("conect"), 2, "Did you mean “connect”?")
    expect(run("connect"), 2, "URL is missing")
    expect(run("connect", "not a url"), 2, "URL cannot be used")
    expect(run("connect", "ftp://localhost/"), 2, "https")
    expect(run("connect", "https://ada:secret@localhost/"), 2, "user name")
    expect(run("connect", "https://localhost", "--approve-certificate", "12"), 2, "SHA-256")
    expect(run("connections", "--jsno"), 2, "Did you mean “--json”?")


@story("plain http is refused by its rule")
def plain_http(stage):
    expect(stage.program.run("connect", "http://localhost/"), 3, "ats")


@story("a host that cannot be reached is a failure that says so")
def unreachable(stage):
    expect(stage.program.run("connect", f"https://localhost:{stage.closed_port}"), 1, "Nothing was sent")
    expect(stage.program.run("connect", "https://host.invalid"), 1, "Nothing was sent")


@story("metadata that is HTML, too large or another issuer's is not believed")
def metadata(stage):
    words = ["--name", "bad", "--approve-certificate", stage.spki, "--no-browser"]
    for path, status, word in [
        ("html", 1, "not JSON"), ("large", 1, "larger than"), ("other", 3, "another issuer"), ("none", 1, "metadata"),
    ]:
        answer = stage.program.run("connect", stage.url, "--issuer", f"{stage.url}/{path}", *words)
        expect(answer, status, word)
    assert "bad" not in stage.program.run("connections").stdout


@story("a full disk stops a write with a message, and what was there stays")
def full_disk(stage):
    def limited():
        signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
        resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))

    expect(stage.program.run("keychain", "add", "disk", "one", text="first\n"), 0)
    answer = stage.program.run("keychain", "add", "disk", "two", text="second\n", preexec_fn=limited)
    assert answer.returncode == 1 and "nothing was changed" in answer.stderr.lower(), answer
    expect(stage.program.run("keychain", "get", "disk", "one"), 0, "first")
    expect(stage.program.run("keychain", "add", "disk", "two", text="second\n"), 0)


@story("a home that cannot be written is a failure that says so")
def unwritable_home(stage):
    for home in ["/proc/pavise", "/dev/null/pavise"]:
        expect(stage.with_home(home).run("keychain", "add", "a", "b", text="x\n"), 1, home)


@story("a home without permission is a failure that says so, and is left as it is")
def no_permission(stage):
    if os.getuid() != 0:
        return stage.skip("needs root to become another user")
    home = stage.folder / "foreign"
    home.mkdir(mode=0o700)
    binary = pathlib.Path(stage.program.binary)
    if any(parent.stat().st_mode & 0o001 == 0 for parent in binary.parents):
        return stage.skip("another user cannot reach the program")
    answer = stage.with_home(home).run("keychain", "add", "a", "b", text="x\n", user=65534, group=65534, extra_groups=[])
    expect(answer, 1, "PAVISE_HOME")
    assert list(home.iterdir()) == []


@story("a home on a read-only disk is a failure that names PAVISE_HOME")
def read_only_disk(stage):
    mounted = stage.mount("ro")
    if mounted is None:
        return stage.skip("no file system can be mounted here")
    expect(stage.with_home(mounted / "pavise").run("keychain", "add", "a", "b", text="x\n"), 1, "read-only", "PAVISE_HOME")


@story("a full file system loses nothing")
def full_file_system(stage):
    mounted = stage.mount("size=512k")
    if mounted is None:
        return stage.skip("no file system can be mounted here")
    program = stage.with_home(mounted / "pavise")
    expect(program.run("keychain", "add", "disk", "one", text="first\n"), 0)
    (mounted / "filler").write_bytes(b"x" * (512 * 1024 - used(mounted)))
    # The log may have room for the first of them already.
    stored = 0
    while (answer := program.run("keychain", "add", "disk", f"more{stored}", text="second" * 10000 + "\n")).returncode == 0:
        stored += 1
        assert stored < 12, "a full file system took everything"
    expect(answer, 1, "full")
    (mounted / "filler").unlink()
    expect(program.run("keychain", "get", "disk", "one"), 0, "first")
    for number in range(stored):
        expect(program.run("keychain", "get", "disk", f"more{number}"), 0, "second" * 10000)
    expect(program.run("keychain", "get", "disk", f"more{stored}"), 1)


def used(folder):
    state = os.statvfs(folder)
    return (state.f_blocks - state.f_bfree) * state.f_frsize


@story("six processes that write at once all succeed")
def processes_at_once(stage):
    processes = []
    for index in range(6):
        path = stage.folder / f"value{index}"
        path.write_text(f"value-{index}\n")
        with open(path) as value:
            processes.append(stage.program.start("keychain", "add", "together", f"n{index}", stdin=value))
    for process in processes:
        _, said = process.communicate(timeout=60)
        assert process.returncode == 0, said
    for index in range(6):
        expect(stage.program.run("keychain", "get", "together", f"n{index}"), 0, f"value-{index}")
