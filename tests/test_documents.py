"""The papers are true: each table is what the code says, and each link leads somewhere."""

import ast
import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from mnemoscope.__main__ import COMMANDS
from mnemoscope.agent.mcp.tool_calls import TOOLS
from mnemoscope.store.workspace.paths import OwnPaths
from tests.documents.generated import MANUAL, ROOT, settings_table, slash_table, with_table
from tests.support.source_trees import trees

APP = ROOT / "app" / "mnemoscope"
PAPERS = [
    *(ROOT / name for name in ("README.md", "ARCHITECTURE.md", "app/GUIDE.md", "app/DECISIONS.md", "CHANGELOG.md")),
    *(ROOT / "tests" / name / "FIGURES.md" for name in ("bench", "proof")),
    *sorted(MANUAL.glob("*.md")),
]
LINK = re.compile(r"(?<!!)\[[^\]]+\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)")
SLANTED = re.compile(r"(?<![*\w])\*([^*\n]+(?:\n[^*\n]+)?)\*(?![*\w])")
HEADING = re.compile(r"^#+ (.*)$", re.MULTILINE)
CODE = re.compile(r"^```.*?^```$|^    .*$|`[^`\n]+`", re.DOTALL | re.MULTILINE)

PLACE = re.compile(r"(?<![\w./-])(?:domain|llm|store|memory|agent|ui)[./][a-z_][\w./-]*\w")
DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


def read(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def anchors(path: Path) -> set[str]:
    """Returns the names by which links point to the headings of a paper."""
    return {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in HEADING.findall(read(path))}


@pytest.mark.parametrize(
    ("page", "name", "table"), [("settings", "settings", settings_table), ("commands", "slash", slash_table)]
)
def test_a_table_of_the_manual_is_what_the_code_says(page: str, name: str, table: Any) -> None:
    text = read(MANUAL / f"{page}.md")
    assert text == with_table(text, name, table()), "run `python -m tests.documents`"


@pytest.mark.parametrize("paper", PAPERS, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_links_lead_somewhere(paper: Path) -> None:
    for path, anchor in LINK.findall(CODE.sub("", read(paper))):
        target = paper.parent / path if path else paper
        assert target.is_file(), path
        assert not anchor or anchor in anchors(target), f"{path}#{anchor}"


def test_the_readme_is_one_page() -> None:
    assert len(read(ROOT / "README.md").splitlines()) <= 150


def test_the_architecture_is_two_pages() -> None:
    """At 10 points, with code in 7.5, this many words and lines take less than two pages of A4."""
    text = read(ROOT / "ARCHITECTURE.md")
    assert len(re.findall(r"[A-Za-z_][\w'./-]*", text)) <= 1_100
    assert len(text.splitlines()) <= 112


@pytest.mark.parametrize("paper", PAPERS, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_a_command_that_a_paper_names_is_there(paper: Path) -> None:
    text = read(paper)
    modules = {name.replace(".", "/") for name in re.findall(r"(?:-m |`)(tests(?:\.\w+)*)", text)}
    missing = {name for name in modules if not ((ROOT / f"{name}.py").is_file() or (ROOT / name).is_dir())}
    files = set(re.findall(r"\b(?:tests|packaging)/[\w/.-]*\w", text))
    assert missing | {name for name in files if not (ROOT / name).exists()} == set()


def test_each_command_without_a_window_is_in_the_manual_and_needs_no_display_of_the_script() -> None:
    commands = set(COMMANDS)
    assert (
        set(re.findall(r"^    mnemoscope ([a-z][a-z-]*)", read(MANUAL / "command-line.md"), re.MULTILINE)) == commands
    )
    needing_none = re.search(r"^ *(\w[\w |-]*)\) return 0 ;;$", read(ROOT / "packaging" / "run"), re.MULTILINE)
    assert needing_none is not None
    assert set(needing_none[1].split(" | ")) == commands


def test_the_manual_lists_the_tools_for_other_agents() -> None:
    assert re.findall(r"^\| `(\w+)` \|", read(MANUAL / "mcp.md"), re.MULTILINE) == list(TOOLS)


def test_architecture_names_every_room() -> None:
    text = read(ROOT / "ARCHITECTURE.md")
    rooms = {
        str(path.parent.relative_to(APP))
        for path in APP.rglob("__init__.py")
        if path.parent != APP and path.parent.name != "__pycache__"
    }
    assert sorted(room for room in rooms if f"`{room}" not in text and f"`{room.rpartition('/')[2]}" not in text) == []


@pytest.fixture(scope="module")
def shown_words() -> set[str]:
    """Returns all words of the window, in small letters."""
    file = ET.parse(ROOT / "resources" / "translations" / "mnemoscope_zh_CN.ts")
    return {plain(source.text or "") for source in file.iter("source")}


def plain(words: str) -> str:
    return " ".join(words.replace("&", "").rstrip("…:").lower().split())


@pytest.mark.parametrize("page", sorted(MANUAL.glob("*.md")), ids=lambda path: path.stem)
def test_what_the_manual_slants_the_window_shows(page: Path, shown_words: set[str]) -> None:
    slanted = [part for words in SLANTED.findall(CODE.sub("", read(page))) for part in words.split(" > ")]
    named = shown_words | {shown.partition(" · ")[0] for shown in shown_words}
    assert [each for each in slanted if plain(each) not in named] == []


def test_the_manual_lists_every_file_of_the_programs_own() -> None:
    own = OwnPaths(Path(".mnemoscope"))
    paths = [getattr(own, name) for name, value in vars(OwnPaths).items() if isinstance(value, property)]
    listed = read(MANUAL / "files.md")
    assert [path.name for path in paths if f"`{path.name}" not in listed] == []


@pytest.mark.slow
@pytest.mark.parametrize(("paper", "least"), [("ARCHITECTURE.md", 11), ("app/GUIDE.md", 40), ("app/DECISIONS.md", 6)])
def test_a_paper_on_the_code_names_classes_and_modules_that_are_there(paper: str, least: int) -> None:
    code, text = "\n".join(map(read, APP.rglob("*.py"))), read(ROOT / paper)
    classes = re.findall(r"`((?:[A-Z][a-z]+){2,})", text)
    assert [name for name in classes if not re.search(rf"^class {name}\b", code, re.MULTILINE)] == []
    places = re.findall(r"`([a-z_]+/[a-z_/]+)[.`]", text)
    assert len(places) >= least
    assert [place for place in places if not (is_there(APP / place) or is_there(ROOT / place))] == []


@pytest.mark.slow
def test_docstrings_name_modules_that_are_there() -> None:
    missing, seen = [], 0
    for path, tree in trees().items():
        docstrings = [ast.get_docstring(node) for node in ast.walk(tree) if isinstance(node, DOCUMENTED)]
        for place in PLACE.findall("\n".join(filter(None, docstrings))):
            if place.endswith((".md", ".jsonl")):
                continue
            seen += 1
            module = APP / place.rstrip(".").removesuffix(".py").replace(".", "/")
            # `store.sessions.session.Session`: a class or function of a module.
            if not (is_there(module) or (module.parent.parent != APP and is_there(module.parent))):
                missing.append(f"{path}: {place}")
    assert missing == []
    assert seen > 10


def is_there(path: Path) -> bool:
    """Returns whether there is such a folder, script or module."""
    return path.exists() or any(path.parent.glob(f"{path.name}.*"))
