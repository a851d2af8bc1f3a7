"""The diagnosis tells what to look at, writes nothing, and holds no secret."""

from __future__ import annotations

import io
import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import NoReturn

import pytest

from mnemoscope.agent.cli.doctor import NOT_A_WORKSPACE, TO_LOOK_AT, Finding, diagnose, diagnosis_text, main
from mnemoscope.domain.errors import StorageError
from mnemoscope.store.files.shipped import shipped
from mnemoscope.store.workspace.keychain import Keychain
from mnemoscope.store.workspace.paths import WorkspacePaths
from mnemoscope.store.workspace.program_folders import ProgramFolders
from mnemoscope.store.workspace.settings_store import SettingsStore
from tests.support.privileges import reachable_folder

SECRET = "sk-canary-0123456789abcdef"


@pytest.fixture
def sample(tmp_path: Path) -> Path:
    root = tmp_path / "home" / "sample"
    shutil.copytree(shipped("workspace"), root)
    for path in root.rglob("*"):
        path.chmod(0o700 if path.is_dir() else 0o600)
    return root


@pytest.fixture
def folders(tmp_path: Path) -> ProgramFolders:
    return ProgramFolders(*(tmp_path / name for name in ("config", "data", "state", "log")))


def found(root: Path | None, folders: ProgramFolders, keychain: Keychain | None = None) -> list[Finding]:
    return [each for part in diagnose(root, keychain or Keychain(environment={}), folders) for each in part.findings]


def values(findings: list[Finding], name: str) -> list[str]:
    return [each.value for each in findings if each.name == name]


def choose_model(root: Path, model: str, api_base: str = "") -> None:
    SettingsStore(WorkspacePaths.found(root)).change(model=model, api_base=api_base)


def test_a_sound_workspace_is_told_as_sound(sample: Path, folders: ProgramFolders) -> None:
    findings = found(sample, folders)
    assert values(findings, "Health") == ["nothing is damaged"]
    assert values(findings, "Conversations") == ["5"]
    assert values(findings, "Files others can read") == ["none"]


def test_nothing_is_written(sample: Path, folders: ProgramFolders, tmp_path: Path) -> None:
    before = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*")}
    found(sample, folders)
    assert {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*")} == before


def test_no_secret_and_no_word_of_a_conversation_is_told(sample: Path, folders: ProgramFolders) -> None:
    choose_model(sample, "openai/gpt-4o", f"https://person:{SECRET}@models.example/v1")
    (sample / "memory" / "MEMORY.md").write_text("- the canary of memory\n", encoding="utf-8")
    (sample / ".git").mkdir()
    (sample / ".git" / "config").write_text(
        f'[remote "origin"]\nurl = https://person:{SECRET}@git.example/memory.git\n', encoding="utf-8"
    )
    text = diagnosis_text(diagnose(sample, Keychain(environment={"OPENAI_API_KEY": SECRET}), folders))
    assert SECRET not in text
    assert "canary of memory" not in text
    assert "Online shop" not in text
    assert "sample: https://git.example/memory.git" in text


def test_a_key_is_told_by_its_place(sample: Path, folders: ProgramFolders) -> None:
    choose_model(sample, "openai/gpt-4o")
    there = found(sample, folders, Keychain(environment={"OPENAI_API_KEY": SECRET}))
    assert values(there, "Key for openai") == ["there, from the environment"]
    assert values(found(sample, folders), "Key for openai") == ["none"]


def test_a_keychain_that_refuses_is_something_to_look_at(sample: Path, folders: ProgramFolders) -> None:
    class Refusing(Keychain):
        def origin(self, provider: str) -> NoReturn:
            raise StorageError("The system's keychain could not be read.")

    choose_model(sample, "openai/gpt-4o")
    (finding,) = [each for each in found(sample, folders, Refusing()) if each.name == "Key for openai"]
    assert finding.is_warning
    assert "could not be read" in finding.value


@pytest.fixture
def within_reach(sample: Path) -> Iterator[Path]:
    """Yields the sample in a folder that any user may enter."""
    with reachable_folder() as folder:
        root = Path(shutil.copytree(sample, folder / "sample"))
        root.chmod(0o755)
        yield root


def test_files_that_others_can_read_are_named(sample: Path, within_reach: Path, folders: ProgramFolders) -> None:
    (sample / "SOUL.md").chmod(0o644)
    assert values(found(sample, folders), "Files others can read") == ["none"], "a folder above keeps others out"
    sample = within_reach
    (sample / "SOUL.md").chmod(0o644)
    assert values(found(sample, folders), "Files others can read") == ["SOUL.md"]
    for at in range(7):
        (sample / f"note-{at}.md").touch(0o644)
        (sample / f"note-{at}.md").chmod(0o644)
    assert values(found(sample, folders), "Files others can read")[0].endswith("note-3.md and 3 more")


def test_a_folder_of_a_workspace_that_keeps_others_out_keeps_its_files_and_an_open_one_is_named(
    within_reach: Path, folders: ProgramFolders
) -> None:
    sample = within_reach
    kept = (sample / "notes", sample / ".mnemoscope", sample / "memory" / ".git")
    for folder in kept:
        folder.mkdir(exist_ok=True)
        (folder / "words").write_text("words", encoding="utf-8")
        (folder / "words").chmod(0o644)
    (sample / "memory").chmod(0o755)
    for folder in kept:
        folder.chmod(0o700)
    assert values(found(sample, folders), "Files others can read") == ["none"]
    for folder in kept:
        folder.chmod(0o755)
    assert values(found(sample, folders), "Files others can read") == [".mnemoscope, memory/.git, notes/words"]


def test_each_model_that_words_go_to_is_named_and_its_key_once(sample: Path, folders: ProgramFolders) -> None:
    store = SettingsStore(WorkspacePaths.found(sample))
    store.change(model="openai/gpt-4o", background_model="openai/gpt-4o-mini", dream_model="anthropic/claude-3-haiku")
    findings = found(sample, folders)
    assert values(findings, "In the background") == ["openai/gpt-4o-mini, words go to OpenAI"]
    assert (values(findings, "Dream"), values(findings, "Key for openai")) == ([], ["none"])
    store.change(profile="dream")
    findings = found(sample, folders)
    assert values(findings, "Dream") == ["anthropic/claude-3-haiku, words go to Anthropic"]
    assert values(findings, "Key for anthropic") == ["none"]
    store.change(background_model="", dream_model="")
    assert not values(found(sample, folders), "In the background")


REMOTE = '[remote "origin"]\nurl = git@host.example:m.git\n'


@pytest.mark.parametrize("place", ["sample/.git", "sample/memory/.git", ".git"])
def test_a_repository_that_memory_is_sent_from_is_named(sample: Path, folders: ProgramFolders, place: str) -> None:
    git = sample.parent / place
    git.mkdir()
    (git / "config").write_text(REMOTE, encoding="utf-8")
    assert values(found(sample, folders), "Git remotes") == [f"{git.parent.name}: host.example:m.git"]


def test_the_remote_of_a_worktree_and_of_a_submodule_is_named(sample: Path, folders: ProgramFolders) -> None:
    shared = sample.parent / "shared.git"
    (own := shared / "worktrees" / "sample").mkdir(parents=True)
    (shared / "config").write_text(REMOTE, encoding="utf-8")
    (own / "commondir").write_text("../..\n", encoding="utf-8")
    (sample / ".git").write_text(f"gitdir: {own}\n", encoding="utf-8")
    assert values(found(sample, folders), "Git remotes") == ["sample: host.example:m.git"]
    (sample / ".git").write_text("gitdir: ../shared.git\n", encoding="utf-8")
    assert values(found(sample, folders), "Git remotes") == ["sample: host.example:m.git"]


def test_a_folder_that_keeps_others_out_keeps_its_files(sample: Path, folders: ProgramFolders) -> None:
    (sample / "SOUL.md").chmod(0o644)
    sample.chmod(0o700)
    assert values(found(sample, folders), "Files others can read") == ["none"]


def test_damage_is_something_to_look_at(sample: Path, folders: ProgramFolders) -> None:
    conversation = next((sample / "sessions").glob("*.jsonl"))
    conversation.write_bytes(conversation.read_bytes() + b"\x00\xff not a record\n")
    findings = found(sample, folders)
    assert any(each.is_warning and "kept and left out" in each.value for each in findings)
    assert not values(findings, "Health")


def test_the_command_prints_text_or_json(
    sample: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    (sample / ".git").mkdir()
    (sample / ".git" / "config").write_text('[remote "o"]\nurl = git@host.example:m.git\n', encoding="utf-8")
    out = io.StringIO()
    assert main([str(sample)], out, Keychain(environment={})) == TO_LOOK_AT
    assert "  Folder" in out.getvalue()
    assert "~/sample" in out.getvalue()
    assert "! Git remotes" in out.getvalue()
    out = io.StringIO()
    main([str(sample), "--json"], out, Keychain(environment={}))
    assert next(part["title"] for part in json.loads(out.getvalue())) == "Program"
    assert main([str(tmp_path / "nowhere")]) == NOT_A_WORKSPACE
    assert "nowhere" in capsys.readouterr().err
