"""The program at a terminal, and scripts that call it by another name."""

import os
import pty
import shutil
import signal
import subprocess
import termios
import time

from stories import expect, story


class Terminal:
    """A command that runs at a terminal of its own."""

    def __init__(self, program, *words, **variables):
        self.controller, self.side = pty.openpty()
        self.process = subprocess.Popen(
            [program.binary, *words], stdin=self.side, stdout=self.side, stderr=self.side,
            env=program.environment() | variables, preexec_fn=self.own)
        self.said = ""

    def own(self):
        os.setsid()
        import fcntl
        fcntl.ioctl(0, termios.TIOCSCTTY, 0)
        # A shell starts its background jobs with these two ignored, which would go on to the program.
        for number in (signal.SIGINT, signal.SIGQUIT):
            signal.signal(number, signal.SIG_DFL)

    def read_until(self, word, times=1):
        while self.said.count(word) < times:
            self.said += os.read(self.controller, 4096).decode()

    def wait_for_secrecy(self):
        """Whoever asks for a secret turns the echo off, a moment before or after it asks."""
        while self.echoes:
            time.sleep(0.02)

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
        terminal.type("\x1a")  # nobody could continue it here: the stop is dropped, and the question comes again
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


@story("security locks and unlocks with the device, and never takes the passcode from an argument")
def locking(stage):
    program = stage.with_home(stage.folder / "locking")
    expect(program.run("keychain", "add", "mail", "ada", text="canary\n"), 0)
    expect(program.run("security", "lock-keychain"), 1, "without a passcode")
    expect(program.run("security", "unlock-keychain", "-p", "1234", "login.keychain"), 0)
    expect(program.run("device", "passcode", "--passcode-stdin", text="a long passcode\n"), 0)
    expect(program.run("security", "lock-keychain"), 0)
    expect(program.run("security", "find-generic-password", "-a", "ada", "-w"), 36)
    expect(program.run("security", "unlock-keychain", "-p", "a long passcode"), 36)
    asker = stage.folder / "asker"
    asker.write_text("#!/bin/sh\necho a long passcode\n")
    asker.chmod(0o755)
    answer = subprocess.run(
        [program.binary, "security", "unlock-keychain"], env=program.environment() | {"PAVISE_ASKPASS": str(asker)},
        stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60)
    if answer.returncode == 1 and "kernel keeps no keys" in answer.stderr:
        stage.note("without a kernel keyring: unlocking holds for one process alone")
        return
    expect(answer, 0)
    expect(program.run("security", "find-generic-password", "-a", "ada", "-w"), 0, "canary")
    expect(program.run("security", "lock-keychain"), 0)
    expect(program.run("security", "find-generic-password", "-a", "ada", "-w"), 36)


@story("a passcode is asked for by pinentry-tty and pinentry-curses, a wrong one again, and none is shown")
def pinentry(stage):
    flavours = [(name, enter) for name, enter in (("pinentry-tty", "\n"), ("pinentry-curses", "\r")) if shutil.which(name)]
    if not flavours:
        return stage.skip("no pinentry-tty and no pinentry-curses")
    for name, enter in flavours:
        program = stage.with_home(stage.folder / name)
        expect(program.run("device", "passcode", "--passcode-stdin", text="a long passcode\n"), 0)
        expect(program.run("device", "lock"), 0)
        terminal = Terminal(program, "device", "unlock", PAVISE_PINENTRY=name, TERM="xterm", LANG="C.UTF-8")
        terminal.read_until("Passcode:")
        terminal.wait_for_secrecy()
        terminal.type("another passcode" + enter)
        terminal.read_until("wrong")
        terminal.read_until("Passcode:", 2)
        terminal.wait_for_secrecy()
        terminal.type("a long passcode" + enter)
        status = terminal.end()
        assert "a long passcode" not in terminal.said and "another passcode" not in terminal.said, terminal.said
        if status == 1 and "kernel keeps no keys" in terminal.said:
            stage.note("without a kernel keyring: unlocking holds for one process alone")
            continue
        assert status == 0, terminal.said
