"""The program at a terminal, and scripts that call it by another name."""

import os
import pty
import signal
import subprocess
import termios

from stories import expect, story


class Terminal:
    """A command that runs at a terminal of its own."""

    def __init__(self, program, *words):
        self.controller, self.side = pty.openpty()
        self.process = subprocess.Popen(
            [program.binary, *words], stdin=self.side, stdout=self.side, stderr=self.side, env=program.environment(),
            preexec_fn=self.own)
        self.said = ""

    def own(self):
        os.setsid()
        import fcntl
        fcntl.ioctl(0, termios.TIOCSCTTY, 0)

    def read_until(self, word):
        while word not in self.said:
            self.said += os.read(self.controller, 4096).decode()

    def type(self, text):
        os.write(self.controller, text.encode())

    @property
    def echoes(self):
        return bool(termios.tcgetattr(self.side)[3] & termios.ECHO)

    def end(self):
        status = self.process.wait(30)
        os.set_blocking(self.controller, False)
        try:
            self.said += os.read(self.controller, 65536).decode()
        except BlockingIOError:
            pass
        return status


@story("at a terminal a secret is asked for without showing it")
def hidden(stage):
    terminal = Terminal(stage.program, "keychain", "add", "terminal", "ada")
    terminal.read_until("Value: ")
    assert not terminal.echoes, "the terminal shows what is typed"
    terminal.type("canary\n")
    assert terminal.end() == 0 and terminal.echoes, terminal.said
    assert "canary" not in terminal.said, terminal.said
    expect(stage.program.run("keychain", "get", "terminal", "ada"), 0, "canary")


@story("a question that is broken off leaves the terminal as it was")
def broken_off(stage):
    for key, number in [("\x03", signal.SIGINT), ("\x1c", signal.SIGQUIT)]:
        terminal = Terminal(stage.program, "keychain", "add", "terminal", "bob")
        terminal.read_until("Value: ")
        terminal.type("\x1a")  # stopping is ignored: the shell would get a silent terminal
        terminal.type(key)
        assert terminal.end() == -number, terminal.said
        assert terminal.echoes, "the terminal stays silent"
    expect(stage.program.run("keychain", "get", "terminal", "bob"), 1)


@story("a script for macOS's security runs unchanged through a link of that name")
def script(stage):
    folder = stage.folder / "script"
    folder.mkdir()
    (folder / "security").symlink_to(stage.program.binary)
    lines = r"""
        security find-generic-password -s deploy -a ci >/dev/null 2>errors && exit 1
        [ $? -eq 44 ] || exit 2
        grep -q '^security: SecKeychainSearchCopyNext: The specified item could not be found in the keychain.$' errors || exit 3
        security add-generic-password -s deploy -a ci -w 'tok en' -T /usr/bin/codesign login.keychain || exit 4
        security add-generic-password -s deploy -a ci -w other 2>/dev/null; [ $? -eq 45 ] || exit 5
        security add-generic-password -s deploy -a ci -w 'new tok' -U || exit 6
        [ "$(security find-generic-password -s deploy -a ci -w)" = "new tok" ] || exit 7
        [ "$(security find-generic-password -ga ci 2>&1 >/dev/null)" = 'password: "new tok"' ] || exit 8
        account=$(security find-generic-password -s deploy | awk -F'"' '/"acct"<blob>/ {print $4}')
        [ "$account" = ci ] || exit 9
        security delete-generic-password -s deploy -a ci >/dev/null || exit 10
        printf 'piped\n' | security add-internet-password -s example.org -a ada -r htps -w || exit 11
        [ "$(security find-internet-password -s example.org -w)" = piped ] || exit 12
    """
    environment = stage.program.environment()
    environment["PATH"] = f"{folder}:{environment['PATH']}"
    answer = subprocess.run(["bash", "-c", lines], cwd=folder, env=environment, capture_output=True, text=True, timeout=60)
    assert answer.returncode == 0, f"step {answer.returncode}: {answer.stdout}{answer.stderr}"
    expect(stage.program.run("keychain", "list", "--json"), 0)
    expect(stage.program.run("keychain", "dump", "--class", "internet"), 0, "example.org")
