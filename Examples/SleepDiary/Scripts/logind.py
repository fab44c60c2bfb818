"""Plays systemd-logind on a bus of its own, for tests: the session 2 of this process, at /org/freedesktop/login1/session/_32.

Usage: logind.py ADDRESS   says “ready”, and then does what each line says:
       lock, unlock        the signals of the session
       hint 1, hint 0      whether the desktop says that the screen is locked
       sleep, wake         before a sleep of the machine, and after it
       other               another session is unlocked, told to all and to the listener alone
       stranger            somebody else on the bus says all of this, to all and to the listener alone
       count               prints for how many kinds of signals the listener waits
"""

import os
import sys

from gi.repository import Gio, GLib

FLAGS = Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT | Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION
ROOT, SESSION = "/org/freedesktop/login1", "/org/freedesktop/login1/session/_32"
XML = """<node><interface name="org.freedesktop.login1.Manager"><method name="GetSession"><arg type="s" direction="in"/><arg type="o"
direction="out"/></method></interface><interface name="org.freedesktop.login1.Session"><property name="Id" type="s" access="read"/>
<property name="LockedHint" type="b" access="read"/></interface></node>"""

bus, stranger = (Gio.DBusConnection.new_for_address_sync(sys.argv[1], FLAGS, None, None) for _ in range(2))
manager, session = Gio.DBusNodeInfo.new_for_xml(XML).interfaces
callers, questions = [], []
hint = False
rest_of_line = ""


def ask(interface, name, values=None):
    return bus.call_sync("org.freedesktop.DBus", "/org/freedesktop/DBus", interface, name, values, None, 0, -1, None)


def called(connection, sender, path, interface, method, parameters, invocation):
    callers.append(sender)
    invocation.return_value(GLib.Variant("(o)", (SESSION,)))


def asked(connection, sender, path, interface, name):
    questions.append(name)
    return GLib.Variant("s", "2") if name == "Id" else GLib.Variant("b", hint)


def emit(member, path=SESSION, interface="Session", values=None, by=bus, to=None):
    by.emit_signal(to, path, f"org.freedesktop.login1.{interface}", member, values)
    by.flush_sync(None)


def matches():
    try:
        rules = ask("org.freedesktop.DBus.Debug.Stats", "GetAllMatchRules").unpack()[0]
    except GLib.Error:
        return 3 if "LockedHint" in questions else 0
    return len(rules.get(callers[-1], [])) if callers else 0


def heard(channel, condition):
    """Several lines may come at once; the last of them may not be whole yet."""
    global rest_of_line
    piece = os.read(0, 4096).decode()
    *lines, rest_of_line = (rest_of_line + piece).split("\n")
    for line in lines:
        say(line)
    return bool(piece) or loop.quit()


def say(line):
    global hint
    word, _, rest = line.strip().partition(" ")
    if word == "count":
        print(matches(), flush=True)
    elif word == "lock":
        emit("Lock")
    elif word == "unlock":
        emit("Unlock")
    elif word == "hint":
        hint = rest == "1"
        changed = {"Active": GLib.Variant("b", True), "LockedHint": GLib.Variant("b", hint)}
        bus.emit_signal(None, SESSION, "org.freedesktop.DBus.Properties", "PropertiesChanged",
                        GLib.Variant("(sa{sv}as)", ("org.freedesktop.login1.Session", changed, [])))
    elif word in ("sleep", "wake"):
        emit("PrepareForSleep", ROOT, "Manager", GLib.Variant("(b)", (word == "sleep",)))
    elif word == "other":
        for to in (None, callers[-1]):
            emit("Unlock", SESSION + "3", to=to)
            emit("Lock", SESSION + "3", to=to)
    elif word == "stranger":
        for to in (None, callers[-1]):
            emit("Unlock", by=stranger, to=to)
            emit("Lock", by=stranger, to=to)
            emit("PrepareForSleep", ROOT, "Manager", GLib.Variant("(b)", (True,)), stranger, to)


bus.register_object(ROOT, manager, called, None, None)
for place in (f"{ROOT}/session/auto", SESSION):
    bus.register_object(place, session, None, asked, None)
ask("org.freedesktop.DBus", "RequestName", GLib.Variant("(su)", ("org.freedesktop.login1", 0)))
loop = GLib.MainLoop()
GLib.io_add_watch(0, GLib.IO_IN | GLib.IO_HUP, heard)
print("ready", flush=True)
loop.run()
