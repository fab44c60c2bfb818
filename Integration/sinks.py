"""The last story: what the others typed, sent and got is in no log, no message and no audit trail (journal.py)."""

import subprocess

from journal import Sinks
from stories import expect, story


@story("attacks of the demo, and everything before, leave nothing secret in a log, a message or an audit trail")
def nothing_secret(stage):
    sinks = Sinks.current
    if sinks is None:
        return stage.skip("no mount namespace for a journal of ours")
    own = stage.with_home(stage.folder / "sinks")
    expect(own.run("connect", stage.url, "--no-browser"), 3)
    expect(own.run("keychain", "add", "sinks", "ada", text="a value for the keychain 16180\n"), 0)
    expect(own.run("lock", "set", "--passphrase", "--pin-stdin", text="a passphrase of the sinks 27182\n"), 0)
    expect(own.run("lock", "now"), 0)
    expect(own.run("lock", "unlock", "--pin-stdin", text="another passphrase 31415926\n"), 5)
    demo = subprocess.run(
        [own.binary + "-lab", "demo"], env=stage.with_home(stage.folder / "demo").environment(), stdin=subprocess.DEVNULL,
        capture_output=True, timeout=300)
    assert demo.returncode == 0, demo.stdout.decode()[-2000:]
    # The lab's codes and tokens begin with these; its people's passwords are known to everybody, and no part of a log.
    sinks.canaries |= {f"canary-{kind}-" for kind in ("code", "access", "refresh", "secret", "registration", "device")}
    sinks.hide("wonderland\n")
    sinks.messages += [demo.stdout, demo.stderr]
    problems, told = sinks.search(own, stage.folder)
    assert not problems, "\n".join(problems[:10])
    # The log did hear of what happened.
    assert any(b"lock.pin.wrong" in entry for entry in sinks.entries), f"no wrong PIN in {len(sinks.entries)} entries"
    stage.note(told)
