"""No path a model names leads out of the workspace, whatever happens between check and open."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from mnemoscope.agent.tools.openat2 import has_openat2
from mnemoscope.agent.tools.path_rules import path_components
from mnemoscope.agent.tools.sandboxed_files import SandboxedFiles
from mnemoscope.domain.errors import PathRefused, ToolError

CORPUS = json.loads((Path(__file__).parents[2] / "corpus" / "paths.json").read_text(encoding="utf-8"))["paths"]
SPECIAL = {path for path in CORPUS if path.startswith("<")}
PLAIN = [path.partition(" (")[0] if path.startswith("../ws_evil") else path for path in CORPUS if path not in SPECIAL]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "ws"
    folder.mkdir()
    (tmp_path / "secret").write_text("top secret")
    (tmp_path / "ws_evil").mkdir()
    (tmp_path / "ws_evil" / "f").write_text("top secret")
    (folder / "plain").mkdir()
    return folder


def refusal(action: object, *arguments: object) -> str:
    with pytest.raises(PathRefused) as caught:
        action(*arguments)  # type: ignore[operator]
    return caught.value.sentence


@pytest.mark.parametrize("path", PLAIN)
def test_each_path_of_the_corpus_is_refused_by_name_and_rule(root: Path, path: str) -> None:
    for sentence in (refusal(SandboxedFiles(root).read, path), refusal(SandboxedFiles(root).write, path, b"x")):
        assert sentence.startswith("The path “")
        assert "was refused: " in sentence


def test_the_corpus_is_covered_whole() -> None:
    assert {
        "<symlink to a file outside>",
        "<symlink to a folder outside>/f",
        "<hard link to a file outside> (writes)",
        "<fifo>",
        "<300-character name>",
        "<symlink swapped in between check and open, 60,000 tries>",
    } == SPECIAL


def test_a_symbolic_link_to_a_file_is_not_followed(root: Path) -> None:
    (root / "link").symlink_to(root.parent / "secret")
    assert "symbolic link" in refusal(SandboxedFiles(root).read, "link")
    assert "symbolic link" in refusal(SandboxedFiles(root).write, "link", b"x")
    assert (root.parent / "secret").read_text() == "top secret"


def test_a_symbolic_link_to_a_folder_is_not_followed(root: Path) -> None:
    (root / "link").symlink_to(root.parent / "ws_evil")
    assert "symbolic link" in refusal(SandboxedFiles(root).read, "link/f")
    assert "symbolic link" in refusal(SandboxedFiles(root).write, "link/f", b"x")
    assert "symbolic link" in refusal(SandboxedFiles(root).listing, "link")
    assert (root.parent / "ws_evil" / "f").read_text() == "top secret"


def test_a_hard_link_is_not_written(root: Path) -> None:
    os.link(root.parent / "secret", root / "hard")
    assert "hard links" in refusal(SandboxedFiles(root).write, "hard", b"x")
    assert (root.parent / "secret").read_text() == "top secret"


def test_a_fifo_is_neither_read_nor_written_and_nobody_waits(root: Path) -> None:
    os.mkfifo(root / "pipe")
    assert "not a regular file" in refusal(SandboxedFiles(root).read, "pipe")
    assert "not a regular file" in refusal(SandboxedFiles(root).write, "pipe", b"x")


def test_a_folder_is_not_read_as_a_file(root: Path) -> None:
    assert "not a regular file" in refusal(SandboxedFiles(root).read, "plain")


def test_a_name_of_300_characters_is_refused(root: Path) -> None:
    assert "longer than 255 bytes" in refusal(SandboxedFiles(root).read, "n" * 300)


@pytest.mark.parametrize(
    "path",
    [
        ".mnemoscope/intent.json",
        ".git/config",
        "memory/.git/config",
        "sessions/a.jsonl",
        "config.json",
        "memory/.cursor",
        "memory/.dream_cursor",
        "SESSIONS/a.jsonl",
        "Config.JSON",
        "a//b",
        "./plain/f",
        "nul.txt",
        "a:stream",
        "a\nb",
        "a\ud800b",
        "git~1/config",
        "sess\u0456ons/a.jsonl",
        ".mnem\u200boscope/intent.json",
        ".mnemoscope-begun",
    ],
)
def test_what_is_protected_or_means_something_else_elsewhere_is_refused(root: Path, path: str) -> None:
    refusal(SandboxedFiles(root).read, path)
    refusal(SandboxedFiles(root).write, path, b"x")


@pytest.mark.parametrize("name", ["SESSION-STATE.md", "Session-State.MD"])
def test_what_the_person_said_is_read_but_not_written(root: Path, name: str) -> None:
    (root / name).write_text("# SESSION-STATE.md\n")
    assert SandboxedFiles(root).read(name).startswith(b"# SESSION")
    assert "only capture and the person" in refusal(SandboxedFiles(root).write, name, b"- forged")


@pytest.mark.parametrize("name", ["memory/2026-11-22.md", "Memory/2026-11-22.MD", "memory/working-buffer.md"])
def test_what_the_program_noted_and_tells_again_is_read_but_not_written(root: Path, name: str) -> None:
    (root / name).parent.mkdir(exist_ok=True)
    (root / name).write_text("## [10:30:00]\n")
    assert SandboxedFiles(root).read(name).startswith(b"## [10")
    assert "the program notes there what was said" in refusal(SandboxedFiles(root).write, name, b"- forged")
    SandboxedFiles(root).write("memory/2026-11-22-trip.md", b"- a file of the model's own")


def test_the_history_log_is_read_but_not_written(root: Path) -> None:
    (root / "memory").mkdir()
    (root / "memory" / "HISTORY.md").write_text("[2026-11-01 09:00] Something.\n\n")
    assert SandboxedFiles(root).read("memory/HISTORY.md").startswith(b"[2026")
    assert "only appended to" in refusal(SandboxedFiles(root).write, "memory/HISTORY.md", b"")


@pytest.mark.parametrize(
    "path",
    [
        "notes.md",
        "cost $5.md",
        "می\u200cخواهم.md",
        "заметки/план.md",
        "a~1.txt",
        "a/b/c.txt",
        "ünïcode.md",
        ".hidden",
        "..hidden",
        "a b.md",
        "company.md",
    ],
)
def test_an_ordinary_path_is_accepted(root: Path, path: str) -> None:
    files = SandboxedFiles(root)
    assert path_components(path) == tuple(path.split("/"))
    assert files.write(path, b"one") is True
    assert files.write(path, b"two") is False
    assert files.read(path) == b"two"


def test_a_replaced_file_keeps_its_mode_and_leaves_nothing_beside_it(root: Path) -> None:
    (root / "run").write_text("old")
    (root / "run").chmod(0o750)
    SandboxedFiles(root).write("run", b"new")
    assert (root / "run").stat().st_mode & 0o777 == 0o750
    assert sorted(each.name for each in root.iterdir()) == ["plain", "run"]


def test_a_missing_file_is_said_to_be_missing(root: Path) -> None:
    with pytest.raises(ToolError, match=r"There is no “nothing\.md”"):
        SandboxedFiles(root).read("nothing.md")


def test_a_listing_leaves_out_what_is_protected(root: Path) -> None:
    (root / "sessions").mkdir()
    (root / ".mnemoscope").mkdir()
    (root / "config.json").touch()
    (root / "b.md").touch()
    (root / "out").symlink_to("/etc")
    assert SandboxedFiles(root).listing("").names == ("b.md", "out (symbolic link, not followed)", "plain/")
    assert SandboxedFiles(root).listing("plain/").names == ()


def test_a_folder_that_took_the_workspaces_place_is_not_touched(root: Path) -> None:
    files = SandboxedFiles(root)
    files.write("a", b"one")
    root.rename(root.with_name("moved"))
    root.mkdir()
    with pytest.raises(ToolError, match="another one is in its place"):
        files.write("a", b"two")
    assert list(root.iterdir()) == []


@pytest.mark.parametrize("in_one_step", [True, False])
def test_both_ways_to_open_refuse_the_same(root: Path, in_one_step: bool) -> None:
    if in_one_step and not has_openat2():
        pytest.skip("this kernel has no openat2")
    files = SandboxedFiles(root, in_one_step=in_one_step)
    (root / "link").symlink_to("plain")
    (root / "file").write_text("x")
    assert "symbolic link" in refusal(files.read, "link/f")
    assert "symbolic link" in refusal(files.listing, "link")
    assert "not a folder" in refusal(files.read, "file/f")
    assert files.write("new/er/f", b"x")
    assert files.listing("new").names == ("er/",)
