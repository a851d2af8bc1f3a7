"""The command line: the window, the tour, and what runs without a window."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from difflib import get_close_matches
from importlib import import_module
from pathlib import Path
from typing import Final, NamedTuple

from mnemoscope import __version__
from mnemoscope.agent.cli.system_libraries import display_problem, missing_libraries, missing_libraries_sentence


class ConsoleCommand(NamedTuple):
    """Describes a command that runs without a window: its module in `agent.cli`, what follows its word, and what it is
    for."""

    module: str
    operands: str
    purpose: str


COMMANDS: Final[Mapping[str, ConsoleCommand]] = {
    "audit": ConsoleCommand("audit", "PATH", "what became of what was said, or what another agent's store holds"),
    "bench": ConsoleCommand("bench", "", "what memory systems keep of conversations"),
    "capture": ConsoleCommand(
        "capture_check", "WORKSPACE", "the marks and examples kept there, as tests of its rules of capture"
    ),
    "doctor": ConsoleCommand("doctor", "[WORKSPACE]", "versions, paths, keys and health, without a secret"),
    "export": ConsoleCommand("export_command", "WORKSPACE", "conversations as Markdown, HTML or JSON"),
    "import": ConsoleCommand(
        "import_command", "PATH --into WORKSPACE", "conversations and memories of another assistant"
    ),
    "install-desktop": ConsoleCommand("desktop_entry", "", "an entry in the menu of this user; --remove takes it out"),
    "mcp": ConsoleCommand("mcp_server", "WORKSPACE", "serves its memory to other agents"),
}
"""The commands by their first word. A window that starts loads none of their modules."""
_PURPOSE_AT: Final = 24
"""The column in which argparse, too, begins what something is for."""
_FOR_THIS_PERSON_ALONE: Final = 0o077
"""Bits that new files and folders do not get: they are 0600 and 0700. A file that is there keeps its mode."""


def _run(command: str, given: list[str]) -> int:
    """Runs a command and returns its exit code: 0 where whoever reads its output has read enough, 1 where the output
    could not be written."""
    try:
        code = _exit_code(command, given)
        sys.stdout.flush()
    except BrokenPipeError:
        _print_no_more()
        return 0
    except OSError as error:
        # What is printed has no name; an error of a file is not one of the output.
        if error.filename is not None:
            raise
        _print_no_more()
        print(f"What was to be printed could not be written: {error.strerror}.", file=sys.stderr)
        return 1
    return code


def _print_no_more() -> None:
    """Leads what is still to be printed nowhere: Python would try it once more at its end, and complain."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _exit_code(command: str, given: list[str]) -> int:
    module = import_module(f"mnemoscope.agent.cli.{COMMANDS[command].module}")
    if command == "export":
        # The reader of the window, which needs no Qt itself.
        return int(
            module.main(given, lambda: import_module("mnemoscope.ui.markdown.page.page_formulas").PageFormulas())
        )
    return int(module.main(given))


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs what the arguments ask for and returns the exit code."""
    os.umask(_FOR_THIS_PERSON_ALONE)
    given = list(sys.argv[1:] if arguments is None else arguments)
    if given and given[0] in COMMANDS:
        return _run(given[0], given[1:])
    options = _options(given)
    if options.tour:
        # The tour is told without a screen, whether there is one or not.
        os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    if missing := missing_libraries():
        print(missing_libraries_sentence(missing), file=sys.stderr)
        return 1
    if problem := display_problem():
        print(problem, file=sys.stderr)
        return 1
    from mnemoscope import desktop  # the window needs Qt, what stands above does not

    if options.tour:
        return desktop.run_tour(options.tour, theme=options.theme, is_wide_only=options.wide)
    return desktop.run_window(options.workspace, read_only=options.read_only)


def _options(given: list[str]) -> argparse.Namespace:
    """Returns what the arguments ask of the window. Ends the program where its first word is a slip for a command:
    a folder of that name would be offered to be made."""
    parser = _parser()
    options, unknown = parser.parse_known_args(given)
    word = options.workspace
    if word is not None and not word.exists():
        near = get_close_matches(str(word), [*COMMANDS, "help"], n=1)
        if near or unknown:
            meant = "" if not near else f" Did you mean {'--help' if near == ['help'] else near[0]}?"
            parser.error(f"“{word}” is neither a folder nor a command.{meant}")
    if unknown:
        parser.error(f"unrecognized arguments: {' '.join(unknown)}")
    return options


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="mnemoscope",
        description="Talk with any language model, and see, correct and trust what it remembers.",
        epilog=_commands_help(),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "workspace",
        nargs="?",
        type=Path,
        metavar="WORKSPACE",
        help="folder to open, or a file in it; else the last one, or the sample",
    )
    parser.add_argument("--read-only", action="store_true", help="only look around: nothing in the folder is written")
    parser.add_argument(
        "--tour", type=Path, metavar="DIR", help="drive the window through a story and picture each scene"
    )
    parser.add_argument("--theme", choices=("light", "dark"), default="light", help="colours of the tour")
    parser.add_argument("--wide", action="store_true", help="of the tour, the pictures of the wide window alone")
    parser.add_argument("--version", action="version", version=f"mnemoscope {__version__}")
    return parser


def _commands_help() -> str:
    rows = ["commands, which need no window:"]
    for word, command in COMMANDS.items():
        usage = f"  {word} {command.operands}".rstrip()
        rows += [usage, ""] if len(usage) > _PURPOSE_AT - 2 else [usage]
        rows[-1] = f"{rows[-1]:<{_PURPOSE_AT}}{command.purpose}"
    return "\n".join([*rows, "", "mnemoscope COMMAND --help tells more of one."])


if __name__ == "__main__":
    sys.exit(main())
