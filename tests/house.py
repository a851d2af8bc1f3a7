"""`python -m tests.house`: counts how easy the code is to find one's way in, and prints a table.

Static counts are read from the syntax trees below app/: the largest folder, the share of modules that one other module
imports, imports inside functions, methods that only forward, lines. The ways of a message and of a save are followed in
a running window: each function of the program that is handed the text counts as a hop, and so does the file that it
stands in; `--ways` lists them. `--app FOLDER` and `--readme FILE` count another checkout's; `--static` leaves the
window out. The counts are there to be looked at; none is a limit. What other commands measure, and what a person
counts, is named below the table with the place where it stands.

`--tests MODULE` counts nothing: it lists the tests of a module, such as `ui/chat/message_sender`, the nearest first.
"""

from __future__ import annotations

import argparse
import ast
import asyncio
import os
import re
import sys
import tempfile
import threading
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, TypeVar

ROOT = Path(__file__).resolve().parents[1]
MARK = "quince-and-medlar"
"""The words that are followed through the program; they are in no other text."""
_PACKAGE = f"{os.sep}mnemoscope{os.sep}"
_LIST = 5
"""A module that alone imports so many others is where they are listed or wired: formats, controllers, scenes."""

_ELSEWHERE = {
    "files to touch for a button on a message": "app/mnemoscope/ui/chat/message_actions.py: the steps in its docstring",
    "files to read to understand a save": "app/mnemoscope/memory/files/__init__.py names them",
    "skipped tests": "packaging/test: what pytest says last in each step; pytest -rs says why",
    "time of the checks": "packaging/test: the last line of each step",
    "memory of the idle window": "python -m tests.bench window; tests/bench/FIGURES.md",
}
"""What is not counted here, and where it is measured."""


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(prog="python -m tests.house")
    parser.add_argument("--app", type=Path, default=ROOT / "app")
    parser.add_argument("--readme", type=Path, default=ROOT / "README.md")
    parser.add_argument("--static", action="store_true", help="count what can be read, open no window")
    parser.add_argument("--ways", action="store_true", help="list each function that the two texts are handed to, too")
    parser.add_argument("--tests", metavar="MODULE", help="list the tests of a module instead, nearest first")
    options = parser.parse_args()
    package, tests = options.app / "mnemoscope", options.app.parent / "tests"
    if options.tests is not None:
        found = list(files_that_test(options.tests, package, tests))
        for why, path in found:
            print(f"{path.relative_to(tests.parent).as_posix():<70} {why}")
        if not found:
            parser.exit(1, f"There is no module {options.tests}, or nothing tests it.\n")
        return
    rows = [*static_rows(package, tests), ("lines of README.md", _lines(options.readme))]
    ways: dict[str, Followed] = {}
    if not options.static:
        os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
        with asyncio.Runner(loop_factory=_qt_loop) as runner:
            ways = dict(zip(("a message's way", "a save of MEMORY.md"), runner.run(_followed()), strict=True))
        for name, way in ways.items():
            rows.append((f"{name}: files, functions handed its text", f"{len(way.files)}, {len(way.functions)}"))
    for what, figure in rows:
        print(f"{what:<58} {figure}")
    print("\nNot counted here, and where it is measured:")
    for what, where in _ELSEWHERE.items():
        print(f"  {what:<42} {where}")
    if options.ways:
        for name, way in ways.items():
            print(f"\n{name}:", *way.lines(), sep="\n  ")


def static_rows(package: Path, tests: Path) -> Iterator[tuple[str, object]]:
    """Yields what is counted by reading, as names and figures."""
    modules = _modules(package)
    trees = {name: _tree(path) for name, path in modules.items()}
    plain = [name for name, path in modules.items() if path.name != "__init__.py"]
    folders = Counter(modules[name].parent.relative_to(package).as_posix() for name in plain)
    folder, most = folders.most_common(1)[0]
    importers = _importers(trees, set(modules))
    single = [name for name in plain if len(importers[name]) == 1]
    beside = [name for name in single if _room_of(name) in map(_room_of, importers[name])]
    joined_by = Counter(next(iter(importers[name])) for name in single)
    listed = sum(count for count in joined_by.values() if count >= _LIST)
    late = {name: _inside_functions(tree) for name, tree in trees.items()}
    yield "files", len(modules)
    yield "modules in the largest folder", f"{most} ({folder})"
    yield "modules with one importer", f"{len(single)} of {len(plain)} ({len(single) / len(plain):.0%})"
    yield "of them, with the importer in the same folder", f"{len(beside)} ({len(beside) / len(plain):.0%})"
    yield f"of them, joined by a module that joins {_LIST} or more", f"{listed} ({listed / len(plain):.0%})"
    yield "imports inside functions", f"{sum(late.values())} in {sum(map(bool, late.values()))} files"
    forwarders = [name for tree in trees.values() for name in _forwarders(tree)]
    yield (
        "methods that only forward",
        f"{len(forwarders)} in {len({name.partition('.')[0] for name, _ in forwarders})} classes",
    )
    yield (
        "of them, to a part that callers can reach themselves",
        sum(not part.startswith("_") for _, part in forwarders),
    )
    yield "lines of app", f"{sum(map(_lines, modules.values())):,}"
    testing = _importers(_test_trees(tests), set(modules))
    unnamed = [name for name in plain if name not in testing and not _named_after(name, modules, tests)]
    yield "modules that no test file imports", f"{sum(name not in testing for name in plain)} of {len(plain)}"
    yield "of them, without a test file of their name", len(unnamed)


def files_that_test(wanted: str, package: Path, tests: Path) -> Iterator[tuple[str, Path]]:
    """Yields the test files of a module, each with why it is one: first those of its name in the folder of its room,
    then those that import it. Where there is neither, it yields those that import what imports the module.

    `wanted`: a path or a dotted name, from the package on or below it. Of test files that come for the same reason,
    those in the folders that are nearest to the module's come first.
    """
    dotted = wanted.removesuffix(".py").replace("/", ".").rpartition("mnemoscope.")[2]
    module, modules = f"{package.name}.{dotted}", _modules(package)
    if module not in modules:
        return
    test_trees, room = _test_trees(tests), tests.joinpath(*module.split(".")[1:-1])

    def nearest_first(path: Path) -> tuple[int, Path]:
        shared = os.path.commonpath((path.parent, room))
        return len(room.parts) - len(Path(shared).parts), path

    named = _named_after(module, modules, tests)
    yield from (("bears its name", path) for path in named)
    testing = _importers(test_trees, set(modules))
    importers = _importers({name: _tree(path) for name, path in modules.items()}, set(modules))
    asked, seen = {module}, {module}
    while asked:
        found = {path: each for each in sorted(asked) for path in testing[each] if path not in named}
        for path in sorted(found, key=nearest_first):
            yield "imports it" if asked == {module} else f"by {found[path].partition('.')[2]}, which leads to it", path
        if found or named:
            return
        asked = {above for each in asked for above in importers[each]} - seen
        seen |= asked


def _named_after(module: str, modules: Mapping[str, Path], tests: Path) -> list[Path]:
    """Returns the test files that bear the name of a module, and of no other beside it that is longer."""
    *room, stem = module.split(".")[1:]
    beside = {path.stem for name, path in modules.items() if _room_of(name) == _room_of(module)}
    found = []
    for path in sorted(tests.joinpath(*room).glob("test_*.py")):
        known = [each for each in beside if f"{path.stem}_".startswith(f"test_{each}_")]
        if max(known, key=len, default="") == stem:
            found.append(path)
    return found


def _modules(package: Path) -> dict[str, Path]:
    return {_dotted(path, package): path for path in sorted(package.rglob("*.py"))}


def _tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def _test_trees(tests: Path) -> dict[Path, ast.Module]:
    return {path: _tree(path) for path in sorted(tests.rglob("test_*.py"))}


Importer = TypeVar("Importer", str, Path)


def _importers(trees: Mapping[Importer, ast.Module], modules: set[str]) -> defaultdict[str, set[Importer]]:
    found = defaultdict[str, set[Importer]](set)
    for name, tree in trees.items():
        for imported in _imported(tree, modules):
            found[imported].add(name)
    return found


def _dotted(path: Path, package: Path) -> str:
    parts = path.relative_to(package.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _room_of(module: str) -> str:
    return module.rpartition(".")[0]


def _lines(path: Path) -> int:
    return path.read_bytes().count(b"\n")


def _imported(tree: ast.Module, modules: set[str]) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                yield inner if inner in modules else node.module
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)


def _inside_functions(tree: ast.Module) -> int:
    inside: set[ast.AST] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            inside.update(each for each in ast.walk(node) if isinstance(each, ast.Import | ast.ImportFrom))
    return len(inside)


def _forwarders(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """Yields the public methods that only hand their arguments to a part of their object, or return an attribute of
    that part, with the name of the part. A class that stands for another by a port has to have some, and so has one
    that keeps its part to itself."""
    for kind in (node for node in ast.walk(tree) if isinstance(node, ast.ClassDef)):
        for method in kind.body:
            if isinstance(method, ast.FunctionDef | ast.AsyncFunctionDef) and not method.name.startswith("_"):
                steps = [step for step in method.body if not _is_docstring(step)]
                if len(steps) == 1 and (part := _forwarded_to(method, steps[0])):
                    yield f"{kind.name}.{method.name}", part


def _is_docstring(step: ast.stmt) -> bool:
    return isinstance(step, ast.Expr) and isinstance(step.value, ast.Constant)


def _forwarded_to(method: ast.FunctionDef | ast.AsyncFunctionDef, step: ast.stmt) -> str:
    """Returns the part of its object to which a method forwards, or "" if it does something of its own."""
    value = step.value if isinstance(step, ast.Return | ast.Expr) else None
    if isinstance(value, ast.Await):
        value = value.value
    if isinstance(value, ast.Call):
        stated = [each.arg for each in (*method.args.posonlyargs, *method.args.args, *method.args.kwonlyargs)]
        given = [ast.unparse(each) for each in (*value.args, *(keyword.value for keyword in value.keywords))]
        return _part_of(value.func) if given == stated[1:] else ""
    is_property = any(ast.unparse(each) == "property" for each in method.decorator_list)
    return _part_of(value) if is_property and value is not None else ""


def _part_of(value: ast.expr) -> str:
    """Returns `part` of an expression that is `self.part.name`, however far down, else ""."""
    found = re.fullmatch(r"self\.(\w+)(\.\w+)+", ast.unparse(value))
    return found[1] if found else ""


@dataclass
class Followed:
    """The functions of the program that were handed a text, in the order in which they first were."""

    functions: dict[CodeType, None] = field(default_factory=dict)
    is_on: bool = False

    @property
    def files(self) -> set[str]:
        return {code.co_filename for code in self.functions}

    def lines(self) -> Iterator[str]:
        """Yields the files in the order in which the text came to them, each with its functions."""
        functions = defaultdict[str, list[str]](list)
        for code in self.functions:
            functions[code.co_filename.rpartition(_PACKAGE)[2]].append(code.co_qualname)
        for name, some in functions.items():
            yield f"{name}: {', '.join(some)}"

    def note(self, frame: FrameType, event: str, _: object) -> None:
        """Notes a call that hands the text on; to be set as the profile function of each thread."""
        code = frame.f_code
        if event != "call" or not self.is_on or code in self.functions or _PACKAGE not in code.co_filename:
            return
        if code.co_name.startswith("<"):
            return
        names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
        if any(_holds(frame.f_locals[name]) for name in names if name != "self"):
            self.functions[code] = None


def _holds(value: object, depth: int = 2) -> bool:
    """Tells whether a value is the text, or a message, an event or a list that holds it."""
    if isinstance(value, str):
        return MARK in value
    if isinstance(value, bytes):
        return MARK.encode() in value
    if depth == 0:
        return False
    if isinstance(value, Mapping):
        return any(_holds(each, depth - 1) for each in list(value.values())[:50])
    if isinstance(value, list | tuple):
        return any(_holds(each, depth - 1) for each in value[-50:])
    fields = getattr(type(value), "__dataclass_fields__", None)
    return fields is not None and any(_holds(getattr(value, name, None), depth - 1) for name in fields)


def _qt_loop() -> asyncio.AbstractEventLoop:
    from tests.ui.window_fixture import qt_loop

    return qt_loop()


async def _followed() -> tuple[Followed, Followed]:
    """Opens a window, sends a message, saves MEMORY.md, and notes where each text went."""
    from tests.support.scripted_provider import ScriptedProvider
    from tests.ui.window_fixture import Stage, rest, until

    message, save = Followed(), Followed()

    def note(frame: FrameType, event: str, argument: object) -> None:
        message.note(frame, event, argument)
        save.note(frame, event, argument)

    threading.setprofile(note)
    with tempfile.TemporaryDirectory() as folder:
        stage = Stage(Path(folder))
        stage.make(memory="# Memory\n\n- Rain is wet.\n")
        person = await stage.open(offline=ScriptedProvider(last="All right."))
        edit = person.composer.edit
        edit.setPlainText(f"I keep the {MARK} jam on the top shelf.")
        edit.setFocus()
        _follow(message, note, lambda: person.press("Return"))
        await person.answered()
        await rest(0.3)
        message.is_on = False
        editor = person.memory.editor
        editor.setFocus()
        editor.appendPlainText(f"- The {MARK} jam is on the top shelf.")
        await rest(0.3)
        _follow(save, note, lambda: person.press("Ctrl+S"))
        await until(lambda: MARK in stage.paths.memory_file.read_text("utf-8"), "the saved file")
        await rest(0.3)
        save.is_on = False
        sys.setprofile(None)
        threading.setprofile(None)
        await stage.close_all()
    return message, save


def _follow(followed: Followed, note: Any, act: Callable[[], object]) -> None:
    """Does something, with the profile function on; whoever calls this switches it off when the text has arrived."""
    followed.is_on = True
    sys.setprofile(note)
    act()


if __name__ == "__main__":
    main()
