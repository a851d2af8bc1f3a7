"""What a folder is, and who owns it."""

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest

from mnemoscope.domain.errors import DiskFull, NotAWorkspace, StorageError, WorkspaceInUse, WorkspaceReadOnly
from mnemoscope.store.workspace.paths import WorkspacePaths
from mnemoscope.store.workspace.workspace import (
    create_workspace,
    folder_to_open,
    inspect_workspace,
    names_to_create,
    open_workspace,
)
from tests.support.faulty_calls import CountedCalls, FailingOnce, KillingCalls, SimulatedKill
from tests.support.privileges import as_nobody, reachable_folder


def peers(root: Path) -> Path:
    (root / "memory").mkdir(parents=True)
    (root / "memory" / "MEMORY.md").write_text("- x\n")
    return root


def files_in(root: Path) -> list[Path]:
    return sorted(root.rglob("*"))


@pytest.fixture
def template(tmp_path: Path) -> Path:
    root = tmp_path / "template"
    (root / "memory").mkdir(parents=True)
    (root / "SOUL.md").write_text("soul")
    (root / "memory" / "MEMORY.md").write_text("template")
    return root


def test_each_kind_of_folder_is_told_apart_without_writing(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "foreign").mkdir()
    (tmp_path / "foreign" / "AGENTS.md").touch()
    (tmp_path / "file").touch()
    peers(tmp_path / "peer")
    kinds = {name: inspect_workspace(tmp_path / name).kind for name in ("empty", "foreign", "file", "peer", "none")}
    assert kinds == {
        "empty": "empty",
        "foreign": "foreign",
        "file": "not-a-folder",
        "peer": "peer",
        "none": "missing",
    }
    assert not (tmp_path / "peer" / ".mnemoscope").exists()


def test_a_file_opens_the_nearest_workspace_above_it(tmp_path: Path) -> None:
    root, loose = peers(tmp_path / "peer"), tmp_path / "loose.md"
    (root / "notes" / "deep").mkdir(parents=True)
    note = root / "notes" / "deep" / "note.md"
    note.touch()
    loose.touch()
    assert folder_to_open(note) == folder_to_open(root / "memory" / "MEMORY.md") == root
    assert [folder_to_open(path) for path in (loose, root, tmp_path / "none")] == [loose, root, tmp_path / "none"]
    assert folder_to_open(too_long := tmp_path / ("x" * 5_000)) == too_long


@pytest.mark.parametrize(
    ("name", "profile"),
    [("memory/HISTORY.md", "two-layer"), ("memory/history.jsonl", "dream"), ("SESSION-STATE.md", "two-layer")],
)
def test_a_peers_files_suggest_its_profile(tmp_path: Path, name: str, profile: str) -> None:
    root = peers(tmp_path / "w")
    (root / name).touch()
    assert inspect_workspace(root).profile == profile


@pytest.mark.parametrize("names", [("MEMORY.md", "SESSION-STATE.md"), ("SESSION-STATE.md", "USER.md", "SOUL.md")])
def test_memory_in_the_root_or_a_state_alone_is_a_workspace_of_three_tiers(
    tmp_path: Path, names: tuple[str, ...]
) -> None:
    for name in names:
        (tmp_path / name).touch()
    report = inspect_workspace(tmp_path)
    assert (report.kind, report.profile) == ("peer", "three-tier")


def test_a_memory_file_alone_in_the_root_makes_no_workspace(tmp_path: Path) -> None:
    (tmp_path / "MEMORY.md").touch()
    assert inspect_workspace(tmp_path).kind == "foreign"


def test_memory_is_found_in_the_root_unless_it_is_in_its_usual_place(tmp_path: Path) -> None:
    (tmp_path / "MEMORY.md").touch()
    assert WorkspacePaths.found(tmp_path).memory_file == tmp_path / "MEMORY.md"
    peers(tmp_path)
    assert WorkspacePaths.found(tmp_path).memory_file == tmp_path / "memory" / "MEMORY.md"


def test_a_new_workspace_is_a_copy_of_the_template_and_overwrites_nothing(tmp_path: Path, template: Path) -> None:
    root = tmp_path / "new"
    root.mkdir()
    (root / "SOUL.md").write_text("mine")
    assert create_workspace(root, template=template).kind == "workspace"
    assert (root / "SOUL.md").read_text() == "mine"
    assert (root / "memory" / "MEMORY.md").read_text() == "template"
    with pytest.raises(StorageError, match="is a workspace"):
        create_workspace(root, template=template)


def test_a_folder_that_is_none_is_not_opened(tmp_path: Path) -> None:
    for folder in (tmp_path, tmp_path / "none"):
        with pytest.raises(NotAWorkspace):
            open_workspace(folder)
    assert files_in(tmp_path) == []


def test_a_second_window_is_refused_and_may_look(tmp_path: Path) -> None:
    root = peers(tmp_path / "w")
    with open_workspace(root):
        with pytest.raises(WorkspaceInUse, match="“w” is open in this program already"):
            open_workspace(root)
        assert inspect_workspace(root).in_use_by == "this program"
        before = files_in(root)
        open_workspace(root, read_only=True).close()
        assert files_in(root) == before
    assert inspect_workspace(root).in_use_by == ""
    open_workspace(root).close()


def test_a_process_that_ended_without_a_word_owns_nothing(tmp_path: Path) -> None:
    root = peers(tmp_path / "w")
    script = (
        "import os, sys; from pathlib import Path; from mnemoscope.store.workspace.workspace import open_workspace\n"
    )
    script += "open_workspace(Path(sys.argv[1])); os._exit(0)"
    subprocess.run([sys.executable, "-c", script, str(root)], check=True)
    assert WorkspacePaths(root).own.lock_file.exists()
    open_workspace(root).close()


def test_looking_only_writes_nothing_at_all(tmp_path: Path) -> None:
    root = peers(tmp_path / "w")
    before = files_in(root)
    with open_workspace(root, read_only=True) as workspace:
        assert workspace.read_only
    assert files_in(root) == before


def test_a_folder_that_cannot_be_written_is_said_to_be_so() -> None:
    with reachable_folder() as folder:
        root = peers(folder / "w")
        root.chmod(0o555)
        with as_nobody():
            report = inspect_workspace(root)
            with pytest.raises(WorkspaceReadOnly, match="can be read but not written"):
                open_workspace(root)
        assert not report.writable
        assert report.sentence == "“w” is a workspace that can be read but not written."
        root.chmod(0o755)


WHOLE = {"SOUL.md": "soul", "memory/MEMORY.md": "template"}


def texts(root: Path) -> dict[str, str]:
    return {path.relative_to(root).as_posix(): path.read_text() for path in root.rglob("*") if path.is_file()}


def calls_to_create(root: Path, template: Path) -> int:
    calls = CountedCalls()
    create_workspace(root, template=template, calls=calls)
    assert calls.fsyncs >= 2 * len(WHOLE) + 1
    return len(calls.names)


@pytest.mark.parametrize("when", ["before", "after", "half"])
def test_a_workspace_in_a_new_folder_is_there_whole_or_not_at_all(tmp_path: Path, template: Path, when: str) -> None:
    for at in range(1, calls_to_create(tmp_path / "counted" / "w", template) + 1):
        root = tmp_path / f"{at}" / "w"
        with pytest.raises(SimulatedKill):
            create_workspace(root, template=template, calls=KillingCalls(at, when))
        assert inspect_workspace(root).kind in ("missing", "workspace")
        if not root.exists():
            create_workspace(root, template=template)
        assert texts(root) == WHOLE
        assert os.listdir(root.parent) == ["w"], "what was left of the first try is gone"


@pytest.mark.parametrize("when", ["before", "after", "half"])
def test_one_in_a_folder_that_was_there_is_gone_on_with(tmp_path: Path, template: Path, when: str) -> None:
    (tmp_path / "counted").mkdir()
    for at in range(1, calls_to_create(tmp_path / "counted", template) + 1):
        root = tmp_path / f"{at}"
        root.mkdir()
        (root / "SOUL.md").write_text("mine")
        try:
            create_workspace(root, template=template, calls=KillingCalls(at, when))
        except SimulatedKill:
            kind = inspect_workspace(root).kind
            assert kind in ("foreign", "begun", "workspace")
            if kind != "workspace":
                assert create_workspace(root, template=template).kind == "workspace"
        assert {name: text for name, text in texts(root).items() if "mnemo-tmp" not in name} == WHOLE | {
            "SOUL.md": "mine"
        }


def test_one_that_was_begun_says_so_and_is_not_opened_half_made(tmp_path: Path, template: Path) -> None:
    root = tmp_path / "w"
    root.mkdir()
    with pytest.raises(SimulatedKill):
        create_workspace(root, template=template, calls=KillingCalls(12))
    assert "was cut off" in inspect_workspace(root).sentence
    with pytest.raises(NotAWorkspace, match="was cut off"):
        open_workspace(root)


def test_a_full_disk_leaves_nothing_of_a_new_folder(tmp_path: Path, template: Path) -> None:
    root = tmp_path / "w"
    with pytest.raises(DiskFull):
        create_workspace(root, template=template, calls=FailingOnce(9, errno.ENOSPC))
    assert os.listdir(tmp_path) == ["template"]


def test_a_folder_made_in_the_same_moment_is_not_replaced(tmp_path: Path, template: Path) -> None:
    root = tmp_path / "w"

    class Racing(CountedCalls):
        def replace(self, source: str, target: str) -> None:
            if target == str(root):
                root.mkdir()
                (root / "theirs").touch()
            super().replace(source, target)

    with pytest.raises(StorageError):
        create_workspace(root, template=template, calls=Racing())
    assert texts(root) == {"theirs": ""}
    assert sorted(os.listdir(tmp_path)) == ["template", "w"]


def test_what_would_be_added_is_said_before(tmp_path: Path, template: Path) -> None:
    (tmp_path / "w").mkdir()
    (tmp_path / "w" / "SOUL.md").touch()
    assert names_to_create(tmp_path / "w", template=template) == [".mnemoscope/", "memory/", "sessions/"]
    assert "SOUL.md" in names_to_create(tmp_path / "none", template=template)


def test_two_of_a_peers_files_make_a_workspace_and_one_does_not(tmp_path: Path) -> None:
    (tmp_path / "AGENTS.md").touch()
    assert inspect_workspace(tmp_path).kind == "foreign"
    (tmp_path / "SOUL.md").touch()
    assert inspect_workspace(tmp_path).kind == "peer"


def test_a_workspace_that_another_process_holds_is_refused_with_where_it_is_open(tmp_path: Path) -> None:
    root = peers(tmp_path / "w")
    script = "import sys; from pathlib import Path; from mnemoscope.store.workspace.workspace import open_workspace\n"
    script += "w = open_workspace(Path(sys.argv[1])); print('open', flush=True); sys.stdin.read()"
    command = [sys.executable, "-c", script, str(root)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"open\n"
        with pytest.raises(WorkspaceInUse, match="“w” is open in another Mnemoscope window"):
            open_workspace(root)
        process.communicate(b"")


def test_one_that_is_open_on_another_computer_is_said_to_be_so(tmp_path: Path) -> None:
    root = peers(tmp_path / "w")
    with open_workspace(root) as workspace:
        workspace.paths.own.lock_file.write_text('{"pid": 7, "host": "elsewhere.invalid"}')
        with pytest.raises(WorkspaceInUse, match="window on another computer"):
            open_workspace(root)


@pytest.mark.parametrize(("number", "kind"), [(errno.EROFS, WorkspaceReadOnly), (errno.EIO, StorageError)])
def test_a_disk_that_takes_no_folder_is_said(tmp_path: Path, number: int, kind: type[StorageError]) -> None:
    root = peers(tmp_path / "w")
    with pytest.raises(kind, match=r"“w” (can be read but not written|could not be opened)"):
        open_workspace(root, calls=FailingOnce(1, number))
    open_workspace(root).close()
    assert inspect_workspace(root).kind == "workspace"


def test_the_folders_of_a_peers_workspace_are_made_durably_and_once(tmp_path: Path) -> None:
    root = peers(tmp_path / "w")
    first, second = CountedCalls(), CountedCalls()
    open_workspace(root, calls=first).close()
    open_workspace(root, calls=second).close()
    assert (first.names, second.names) == (["mkdir", "mkdir", "fsync"], [])


def test_a_folder_of_which_nothing_can_be_known_is_no_folder(tmp_path: Path) -> None:
    assert inspect_workspace(tmp_path / ("x" * 300)).kind == "not-a-folder"


def test_a_file_in_the_place_of_the_windows_own_folder_is_said(tmp_path: Path) -> None:
    root = peers(tmp_path / "w")
    (root / ".mnemoscope").touch()
    with pytest.raises(StorageError, match="“w” could not be opened: Not a directory"):
        open_workspace(root)


def test_the_journal_of_each_file_has_a_name_of_its_own() -> None:
    paths = WorkspacePaths(Path("/w"))
    assert paths.own.change_log_of("memory/MEMORY.md") == paths.own.memory_change_log
    assert (paths.dream_guide, paths.skills_dir) == (Path("/w/prompts/dream.md"), Path("/w/skills"))
    names = {
        paths.own.change_log_of(path).name for path in ("skills/a.md", "skills%2Fa.md", "skills/a/b.md", "USER.md")
    }
    assert names == {"skills%2Fa.md.jsonl", "skills%252Fa.md.jsonl", "skills%2Fa%2Fb.md.jsonl", "USER.md.jsonl"}


def test_conversations_alone_are_a_workspace(tmp_path: Path) -> None:
    (tmp_path / "sessions").mkdir()
    assert inspect_workspace(tmp_path).kind == "foreign"
    (tmp_path / "sessions" / "cli_direct.jsonl").touch()
    assert inspect_workspace(tmp_path).kind == "peer"


@pytest.mark.parametrize(
    ("config", "at_root"),
    [
        ('{"mnemoscope": {"profile": "three-tier"}}', True),
        ('{"mnemoscope": {"profile": "dream"}}', False),
        ('{"mnemoscope": 1}', False),
        ("[]", False),
        ("{", False),
        (None, False),
    ],
)
def test_memory_is_begun_in_the_root_where_the_settings_say_three_tiers(
    tmp_path: Path, config: str | None, at_root: bool
) -> None:
    if config is not None:
        (tmp_path / "config.json").write_text(config, encoding="utf-8")
    paths = WorkspacePaths.found(tmp_path)
    assert (paths.memory_file == tmp_path / "MEMORY.md") is at_root


def test_when_memory_was_checked_is_noted_in_the_programs_own_folder(tmp_path: Path) -> None:
    own = WorkspacePaths.found(tmp_path).own
    assert own.memory_check_file == own.folder / "memory-check.json"
