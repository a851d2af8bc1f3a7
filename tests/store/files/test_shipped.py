"""What ships with the program is found wherever it is installed, and is in the wheel."""

from __future__ import annotations

import re
from pathlib import Path

from hatchling.builders.wheel import WheelBuilder

from mnemoscope.store.files.shipped import shipped, shipped_prompt, shipped_starter

ROOT = Path(__file__).parents[3]


def test_a_prompt_is_the_text_of_its_file_without_the_last_line_break() -> None:
    text = shipped("resources", "prompts", "summary.md").read_text("utf-8")
    assert shipped_prompt("summary") + "\n" == text


def test_every_prompt_that_ships_is_named_where_it_is_sent() -> None:
    code = "".join(path.read_text("utf-8") for path in (ROOT / "app").rglob("*.py"))
    named = set(re.findall(r"""["']([a-z-]+)["']""", code))
    names = {path.stem for path in shipped("resources", "prompts").iterdir()}
    assert names
    assert names - named == set()


def test_a_file_of_a_new_workspace_begins_with_what_ships_and_any_other_with_nothing() -> None:
    assert shipped_starter("memory/MEMORY.md") == shipped("resources", "blank", "memory", "MEMORY.md").read_text(
        "utf-8"
    )
    assert shipped_starter("memory") == shipped_starter("notes.md") == ""


def test_the_wheel_has_every_file_that_ships() -> None:
    packed = {each.distribution_path for each in WheelBuilder(str(ROOT)).recurse_included_files()}
    for folder in ("resources/bench", "resources/prompts", "resources/manual", "resources/blank"):
        files = [path for path in (ROOT / folder).rglob("*") if path.is_file() and "__pycache__" not in path.parts]
        wanted = {f"mnemoscope/_data/{path.relative_to(ROOT).as_posix()}" for path in files}
        assert wanted
        assert wanted - packed == set()
