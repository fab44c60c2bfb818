"""Reads a program on the accessibility bus as a screen reader does: what it has read before comes with one answer (org.a11y.atspi.Cache),
so that looking at a page again takes a moment also on a machine that does much else."""

import contextlib

import gi

gi.require_version("Atspi", "2.0")
gi.require_version("Gio", "2.0")
from gi.repository import Atspi, Gio, GLib  # noqa: E402

SPACE = "org.a11y.atspi."
ROOT = "/org/a11y/atspi/accessible/root"
WINDOWS = ("frame", "dialog", "window", "alert")
PATIENCE = 10_000
_bus = None


def ask(name, path, interface, method, words=None):
    answer = bus().call_sync(name, path, interface, method, words, None, Gio.DBusCallFlags.NONE, PATIENCE, None)
    return answer.unpack()


def outwrite(name):
    """Sends the program a message that is longer than any text that was written into it: where GLib has read one, the end of it stays
    until a longer one comes."""
    with contextlib.suppress(GLib.Error):
        ask(name, "/" + "x" * 30_000, "org.freedesktop.DBus.Introspectable", "Introspect")


def bus():
    global _bus
    if _bus is None:
        session = Gio.bus_get_sync(Gio.BusType.SESSION)
        (address,) = session.call_sync("org.a11y.Bus", "/org/a11y/bus", "org.a11y.Bus", "GetAddress", None, None,
                                       Gio.DBusCallFlags.NONE, PATIENCE, None).unpack()
        flags = Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT | Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION
        _bus = Gio.DBusConnection.new_for_address_sync(address, flags, None, None)
    return _bus


def name_of(process):
    """The name of a process on the bus; nothing while it is not there."""
    manager = ("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus")
    for name in ask(*manager, "ListNames")[0]:
        # One may go meanwhile.
        with contextlib.suppress(GLib.Error):
            if name.startswith(":") and ask(*manager, "GetConnectionUnixProcessID", GLib.Variant("(s)", (name,)))[0] == process:
                return name
    return None


def told(name):
    """What the program tells at once to everybody on the bus: also of what was read once and is in no window now."""
    return [Node(name, path, parent, index, count, interfaces, title, role, description, states)
            for (_, path), _, (_, parent), index, count, interfaces, title, role, description, states
            in ask(name, "/org/a11y/atspi/cache", SPACE + "Cache", "GetItems")[0]]


def read(name):
    """All that the program shows: its root, with everything below."""
    asked = set()
    while True:
        nodes = {}
        for node in told(name):
            nodes[node.path] = node
        for node in sorted(nodes.values(), key=lambda node: node.index):
            node.parent = nodes.get(node.above)
            # What is in no window has the program for its parent, too, and no place there.
            if node.parent and node.parent is not node and (node.above != ROOT or node.index >= 0 or node.role in WINDOWS):
                node.parent.children.append(node)
        # What nobody has asked for yet is in no cache.
        missing = [node for node in nodes.values() if node.count > len(node.children) and node.path not in asked]
        if not missing:
            return nodes.get(ROOT)
        for node in missing:
            asked.add(node.path)
            with contextlib.suppress(GLib.Error):
                ask(name, node.path, SPACE + "Accessible", "GetChildren")


class Node:
    """One thing, as it was when the program was read."""

    def __init__(self, bus_name, path, above, index, count, interfaces, name, role, description, states):
        self.bus_name, self.path, self.above, self.index, self.count = bus_name, path, above, index, count
        self.interfaces = {one.removeprefix(SPACE) for one in interfaces}
        self.name, self.description = name, description
        self.role = Atspi.role_get_name(Atspi.Role(role))
        self.has_keyboard = bool(states[0] >> Atspi.StateType.FOCUSED & 1)
        self.parent, self.children = None, []

    def within(self):
        """This and everything below, in its order."""
        todo = [self]
        while todo:
            node = todo.pop()
            yield node
            todo.extend(reversed(node.children))

    def press(self):
        return ask(self.bus_name, self.path, SPACE + "Action", "DoAction", GLib.Variant("(i)", (0,)))[0]

    def text(self):
        """What stands in it; empty where there is no text."""
        # A label's name is its text.
        if "Text" not in self.interfaces or self.role == "label" and self.name:
            return ""
        with contextlib.suppress(GLib.Error):
            # To the end, by its number: GTK 4.8 takes -1 for the end of a label, and for the beginning of what is typed into.
            count = ask(self.bus_name, self.path, "org.freedesktop.DBus.Properties", "Get",
                        GLib.Variant("(ss)", (SPACE + "Text", "CharacterCount")))[0]
            return ask(self.bus_name, self.path, SPACE + "Text", "GetText", GLib.Variant("(ii)", (0, count)))[0]
        return ""

    def write(self, text):
        return ask(self.bus_name, self.path, SPACE + "EditableText", "SetTextContents", GLib.Variant("(s)", (text,)))[0]
