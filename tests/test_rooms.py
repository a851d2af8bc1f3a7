"""Rules of the house, held by reading the syntax trees below app/: names, rooms and the sentences of docstrings."""

from __future__ import annotations

import ast
import builtins
import inspect
import re
from collections import defaultdict
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from tests.support.source_trees import modules, tree_of, trees

ROOT = Path(__file__).parents[1]
LAYERS = ("domain", "store", "llm", "memory", "agent", "ui")
PLAYED = {"ui/tour/scenes"}
"""The tour plays them, as a step of the checks."""
_RELATIVE = re.compile(r"(?:What|Which|Whether|Where|How|When|Who|Whose|Why)\b[^?]*$")
"""The first words of a clause that is no sentence, unless it is a question."""
_NEEDS_ANOTHER = re.compile(r"\w+ (?:it\.|the same(?:,| (?:as a|for|in|near|of|where|with)\b))")
"""The first words of a docstring that says what it means only together with the one above it."""
_VERB = re.compile(r"(?!(?:As|Its|This|Files|Ids|Items|Pixels|Rows|Lines|Conversations|Messages)\b)[A-Z][a-z]+s\b")
"""The first word of a sentence in the third person: a verb, and none of the plurals that were once taken for one."""


_DONE_IN_SEVERAL = {"main", "tr", "run_tour", "number", "context_window", "contents_of"}
"""Functions that are found in several modules and do the same there."""
_OF_A_FORMAT = {"facts_in", "newest_messages", "root_of", "usual_roots"}
"""Functions that each format of another agent's store has its own of."""


def test_each_public_class_function_and_type_has_a_name_of_its_own() -> None:
    places: dict[str, list[str]] = defaultdict(list)
    for path, tree in trees().items():
        for node in tree.body:
            name = _defined(node)
            if name is not None and not name.startswith("_") and name not in _DONE_IN_SEVERAL | _OF_A_FORMAT:
                places[name].append(path.as_posix())
    assert {name: where for name, where in places.items() if len(where) > 1} == {}


def _defined(node: ast.stmt) -> str | None:
    """Returns the name of a class, a function or a type that a statement of a module defines. A type is named as a
    class is; a TypeVar stands for any."""
    if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
        return node.name
    if isinstance(node, ast.Assign) and isinstance(name := node.targets[0], ast.Name):
        is_type = re.fullmatch(r"[A-Z][A-Za-z]*[a-z]", name.id) and not isinstance(node.value, ast.Call)
        return name.id if is_type else None
    return None


def rooms() -> list[str]:
    """Returns the sub-packages of each layer."""
    found = (path.parent for path in modules() if path.name == "__init__.py" and len(path.parts) >= 3)
    return sorted({folder.as_posix() for folder in found if folder.parts[0] in LAYERS} - PLAYED)


@pytest.mark.parametrize("room", rooms())
def test_each_room_has_its_tests_in_a_folder_of_the_same_path(room: str) -> None:
    assert list((ROOT / "tests" / room).rglob("test_*.py")) != []


def sentences_of(room: Path) -> list[str]:
    """Returns the sentences in which a room says what is in it, where to begin, and what it may import."""
    words = " ".join((ast.get_docstring(tree_of(room / "__init__.py")) or "").split())
    return re.split(r"(?<=[.!?])\s(?=[A-Z])", words)


@pytest.mark.parametrize("room", [*LAYERS, *rooms(), *sorted(PLAYED)])
def test_a_room_says_in_three_sentences_what_is_in_it_where_to_begin_and_what_it_imports(room: str) -> None:
    said = sentences_of(Path(room))
    assert len(said) == 3, said
    assert "Begin" in said[1]
    assert "import" in said[2].lower()


_NAMES_NO_ROOM = re.compile("below|every|whatever|other than|but ")
"""The contracts of import-linter alone measure such a sentence, save for what stands around a nested room."""


def imported_beside(room: Path) -> set[tuple[str, ...]]:
    """Returns the other parts of its layer that a room imports, as the path of each: the rooms of the layer, and of a
    nested room the modules and rooms around it too."""
    found = set()
    for path in modules():
        if path.is_relative_to(room):
            for target in _targets_in(tree_of(path)):
                differs = [one != other for one, other in zip(target, room.parts, strict=False)]
                if True in differs[1:] and not differs[0]:
                    found.add(target[: differs.index(True) + 1])
    return found


def _targets_in(tree: ast.Module) -> Iterator[tuple[str, ...]]:
    """Yields the path below the package of each name that a module imports from there."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("mnemoscope."):
            yield from ((*node.module.split(".")[1:], each.name) for each in node.names)


@pytest.mark.parametrize("room", [each for each in [*rooms(), *sorted(PLAYED)] if "/" in each])
def test_what_a_room_says_that_it_may_import_names_all_that_it_imports_of_its_layer(room: str) -> None:
    said = sentences_of(Path(room))[-1]
    measured = {each for each in imported_beside(Path(room)) if len(each) > 2 or not _NAMES_NO_ROOM.search(said)}
    assert {".".join(each) for each in measured if not re.search(rf"\b{each[-1]}\b", said)} == set()


_WHOLE_NAME = re.compile(r"`((?:domain|store|llm|memory|agent|ui)(?:\.\w+)+)`")
"""A room or a module by its whole name, as a room of `ui` names what it may import."""
_EVERY_ROOM = "every room of `ui`"


@pytest.mark.parametrize("room", [each for each in [*rooms(), *sorted(PLAYED)] if each.startswith("ui/")])
def test_a_room_of_the_window_names_exactly_what_it_imports_beside_it_and_says_what_of_the_core(room: str) -> None:
    said = sentences_of(Path(room))[-1]
    assert said.startswith("It may import ")
    imported = [each for path in modules() if path.is_relative_to(room) for each in _targets_in(tree_of(path))]
    named = {tuple(name.split(".")) for name in _WHOLE_NAME.findall(said)}
    assert {name for name in named if name not in {each[: len(name)] for each in imported}} == set()
    beside = set() if _EVERY_ROOM in said else imported_beside(Path(room))
    assert {each for each in beside if each not in {name[: len(each)] for name in named}} == set()
    core = {each[0] for each in imported} - {name[0] for name in named} - {"ui"}
    words = ["the domain"] if core == {"domain"} else ["the core"] if core else []
    assert re.findall("the domain|the core", said) == words


Described = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


def docstrings() -> Iterator[tuple[str, Described, str]]:
    """Yields modules, public classes and public functions, with where they stand and the docstring they have."""
    for path, tree in trees().items():
        yield path.as_posix(), tree, ast.get_docstring(tree) or ""
        yield from _docstrings_below(tree, path.as_posix())


def _docstrings_below(parent: ast.AST, where: str) -> Iterator[tuple[str, Described, str]]:
    for node in ast.iter_child_nodes(parent):
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) and not node.name.startswith("_"):
            yield f"{where}:{node.lineno} {node.name}", node, ast.get_docstring(node) or ""
            if isinstance(node, ast.ClassDef):
                yield from _docstrings_below(node, where)


def attribute_docstrings() -> Iterator[tuple[str, str]]:
    """Yields the docstring right behind each assignment, in a module, a class or a function, with where it stands."""
    for path, tree in trees().items():
        yield from ((f"{path.as_posix()}:{line}", text) for line, text in _said_behind_assignments(tree))


def _said_behind_assignments(block: ast.AST) -> Iterator[tuple[int, str]]:
    for name in ("body", "orelse", "handlers", "finalbody"):
        statements = getattr(block, name, [])
        for assigned, said in pairwise(statements):
            if isinstance(assigned, ast.Assign | ast.AnnAssign) and (text := _said_by(said)):
                yield said.lineno, text
        for statement in statements:
            yield from _said_behind_assignments(statement)


def _said_by(statement: ast.stmt) -> str:
    """Returns the text of a statement that is nothing but a string, "" of any other."""
    if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
        return inspect.cleandoc(statement.value.value) if isinstance(statement.value.value, str) else ""
    return ""


_OF_PARAMETER = re.compile(r"(?:^|[.;] )`([a-z_]\w*)`:")
"""What a docstring says of a parameter: its name, and a colon behind it."""


def test_what_a_docstring_says_of_a_parameter_is_said_of_one_there_is() -> None:
    found = []
    for path, tree in trees().items():
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                given = node.args
                all_of_them = (*given.posonlyargs, *given.args, *given.kwonlyargs, given.vararg, given.kwarg)
                names = {each.arg for each in all_of_them if each is not None}
                words = " ".join((ast.get_docstring(node) or "").split())
                unknown = set(_OF_PARAMETER.findall(words)) - names
                found += [f"{path}:{node.lineno} {node.name}: {name}" for name in sorted(unknown)]
    assert found == []


_DIALECT = re.compile(r"_?(?:told|untold|retold|tell|tended|hush|hushed)|_?tell_\w+|\w+_told|\w+(?:Desk|Ways)")
"""Names of a dialect: a value is named after what it holds, a method that speaks `notify`, `show` or `format`."""
_DIALECT_WITHIN = re.compile(rf"\b(?:{_DIALECT.pattern})\b")
_ON_DISK = {"domain/context/compaction.py"}
"""The names of their fields stand in files that were written before."""


def test_no_name_is_of_a_dialect() -> None:
    own = ((path.as_posix(), tree) for path, tree in trees().items() if path.as_posix() not in _ON_DISK)
    assert [f"{path}: {name}" for path, tree in own for name in _of_a_dialect(tree)] == []


def test_no_name_in_the_tests_is_of_a_dialect() -> None:
    """But for the names of tests, which are sentences."""
    sources = ((path, path.read_text(encoding="utf-8")) for path in sorted((ROOT / "tests").rglob("*.py")))
    suspects = ((path, ast.parse(source)) for path, source in sources if _DIALECT_WITHIN.search(source))
    names = [(path.relative_to(ROOT).as_posix(), name) for path, tree in suspects for name in _of_a_dialect(tree)]
    assert [f"{path}: {name}" for path, name in names if not name.startswith("test_")] == []


def _of_a_dialect(tree: ast.Module) -> list[str]:
    """Returns the names of a dialect that a module gives to what it defines, takes or keeps."""
    names = (getattr(node, "name", None) or _stored(node) for node in ast.walk(tree))
    return [name for name in names if isinstance(name, str) and _DIALECT.fullmatch(name)]


def _stored(node: ast.AST) -> str | None:
    """Returns the name that a node gives a value: of a parameter, a variable or an attribute."""
    if isinstance(node, ast.arg):
        return node.arg
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
        return node.id
    return node.attr if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store) else None


_ESCAPE = re.compile(r"\\u([0-9A-Fa-f]{4})")
_RANGE_OF_HAN_OR_KANA = re.compile("[\u3400-\u9fff]-[\u3400-\u9fff]|[\u3040-\u30ff]-[\u3040-\u30ff]")
_ONE_HOME = "domain/text/characters.py"


def test_the_characters_of_a_script_are_listed_in_one_place() -> None:
    found = [
        f"{path.as_posix()}:{node.lineno}"
        for path, tree in trees().items()
        if path.as_posix() != _ONE_HOME
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and _lists_a_script(node.value)
    ]
    assert found == []


def _lists_a_script(text: str) -> bool:
    """Returns whether a string has a range of Chinese or Japanese characters, be it escaped in a raw string."""
    plain = _ESCAPE.sub(lambda found: chr(int(found[1], 16)), text)
    return _RANGE_OF_HAN_OR_KANA.search(plain) is not None


def test_more_than_two_attributes_are_assigned_one_a_line() -> None:
    found = [
        f"{path.as_posix()}:{node.lineno}"
        for path, tree in trees().items()
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign) and _attributes_in(node) > 2
    ]
    assert found == []


def _attributes_in(assigned: ast.Assign) -> int:
    targets = (part for each in assigned.targets for part in (each.elts if isinstance(each, ast.Tuple) else [each]))
    return sum(isinstance(part, ast.Attribute) for part in targets)


def test_a_docstring_is_no_relative_clause() -> None:
    first = ((where, text.partition(".")[0]) for where, _, text in docstrings())
    assert [f"{where}: {sentence}" for where, sentence in first if _RELATIVE.match(sentence)] == []


def test_a_docstring_of_an_attribute_is_no_relative_clause() -> None:
    """But for `Whether`, which says what a flag stands for."""
    first = ((where, text.partition(".")[0]) for where, text in attribute_docstrings())
    clauses = ((where, sentence) for where, sentence in first if _RELATIVE.match(sentence))
    assert [f"{where}: {sentence}" for where, sentence in clauses if not sentence.startswith("Whether ")] == []


def test_a_docstring_is_understood_without_the_one_above_it() -> None:
    found = [f"{where}: {text}" for where, _, text in docstrings() if _NEEDS_ANOTHER.match(text)]
    assert found == []


def test_the_docstring_of_a_function_is_a_sentence_in_the_third_person() -> None:
    functions = ((where, text) for where, node, text in docstrings() if not isinstance(node, ast.Module | ast.ClassDef))
    assert [f"{where}: {text}" for where, text in functions if text and not _VERB.match(text)] == []


def test_the_docstring_of_a_class_says_with_a_verb_what_it_is_for_and_that_of_an_event_or_error_what_happened() -> None:
    classes = [(where, node, text) for where, node, text in docstrings() if isinstance(node, ast.ClassDef)]
    bases = {node.name: [ast.unparse(each) for each in node.bases] for _, node, _ in classes}

    def happens(name: str) -> bool:
        built_in = getattr(builtins, name, None)
        if name == "Event" or (isinstance(built_in, type) and issubclass(built_in, Exception)):
            return True
        return any(happens(each) for each in bases.get(name, ()) if each != name)

    found = [
        f"{where}: {text}"
        for where, node, text in classes
        if text and not happens(node.name) and not _VERB.match(text) and not text.startswith("Is ")
    ]
    assert found == []
