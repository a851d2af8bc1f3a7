"""Stands for the desktop's portal of notifications on a session bus of a test, in a process of its own.

It prints each call that comes, as a line of JSON, `[method, arguments]`, and after each line that it reads emits the
signal that the notification of that id was pressed. It ends with its input.
"""

from __future__ import annotations

import json
import sys
import threading
from typing import Any, Final

from jeepney import DBusAddress, HeaderFields, MessageType, new_method_return, new_signal
from jeepney.bus_messages import message_bus
from jeepney.io.threading import DBusRouter, open_dbus_connection

NAME: Final = "org.freedesktop.portal.Desktop"
INTERFACE: Final = "org.freedesktop.portal.Notification"
PATH: Final = "/org/freedesktop/portal/desktop"


def main() -> None:
    """Answers until the input ends."""
    connection = open_dbus_connection("SESSION")
    with DBusRouter(connection) as router:
        router.send_and_get_reply(message_bus.RequestName(NAME))
    say("ready")
    threading.Thread(target=press_what_is_read, args=(connection,), daemon=True).start()
    while True:
        message = connection.receive()
        fields = message.header.fields
        if message.header.message_type is MessageType.method_call and fields.get(HeaderFields.interface) == INTERFACE:
            say(fields[HeaderFields.member], message.body)
            connection.send(new_method_return(message))


def press_what_is_read(connection: Any) -> None:
    """Emits a press for each id that comes in."""
    emitter = DBusAddress(PATH, bus_name=NAME, interface=INTERFACE)
    for line in sys.stdin:
        connection.send(new_signal(emitter, "ActionInvoked", "ssav", (line.strip(), "open", [])))


def say(*words: Any) -> None:
    """Prints a line of JSON."""
    print(json.dumps(words), flush=True)


if __name__ == "__main__":
    main()
