"""What a person is shown of a command, what their word is bound to, and what is remembered of it."""

from __future__ import annotations

import json
import shlex
import subprocess
from datetime import datetime
from pathlib import Path

import pytest

from mnemoscope.agent.tools.approval import ApprovalRequest, RememberedApprovals
from mnemoscope.agent.tools.command_quoting import shown_command
from mnemoscope.agent.tools.sandboxed_files import SandboxedFiles
from mnemoscope.domain.errors import PathRefused, StorageError
from mnemoscope.store.files.disk import InlineDisk
from mnemoscope.store.workspace.approvals import ApprovalFile, KeptApproval, sealing_key

KEY = b"k" * 32
WHEN = datetime(2026, 11, 22, 9, 30)
LS = ApprovalRequest(("ls", "-l"), Path("/w"), "one", "/usr/bin/ls", "", "bubblewrap")


class Person:
    """Answers in turn, and counts how often it was asked."""

    def __init__(self, *decisions: str) -> None:
        self.decisions, self.asked = list(decisions), 0

    async def ask(self, request: ApprovalRequest) -> str:
        self.asked += 1
        return self.decisions.pop(0)


def remembered(folder: Path, *decisions: str, key: bytes = KEY) -> RememberedApprovals:
    file = ApprovalFile(folder / ".mnemoscope" / "approvals.json", key)
    return RememberedApprovals(Person(*decisions), InlineDisk(), file, clock=lambda: WHEN)  # type: ignore[arg-type]


def other(**changes: object) -> ApprovalRequest:
    fields = {name: getattr(LS, name) for name in ("argv", "cwd", "session_key", "program", "digest", "confinement")}
    return ApprovalRequest(**{**fields, **changes})


# -- what is shown ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("argv", "shown"),
    [
        (["ls", "-l", "my notes.md"], "ls -l 'my notes.md'"),
        (["echo", ""], "echo ''"),
        (["echo", "$(id)", "a;b"], "echo '$(id)' 'a;b'"),
        (["echo", "one\ntwo"], r"echo $'one\ntwo'"),
        (["echo", "\x1b[2K\rrm"], r"echo $'\e[2K\rrm'"),
        (["cat", "a\u202egnp.exe"], r"cat $'a\u202egnp.exe'"),
        (["cat", "no\u200bte"], r"cat $'no\u200bte'"),
        (["cat", "a\u00a0b"], r"cat $'a\u00a0b'"),
        (["cat", "\u3164"], r"cat $'\u3164'"),
        (["cat", "\U000e0041"], r"cat $'\U000e0041'"),
        (["echo", "it's\x07\\n"], r"echo $'it\'s\x07\\n'"),
        (["cat", "שלום"], "cat \u2066'שלום'\u2069"),
        (["cat", "заметки.md", "日记.md"], "cat 'заметки.md' '日记.md'"),
    ],
)
def test_nothing_in_a_command_is_invisible(argv: list[str], shown: str) -> None:
    assert shown_command(argv) == shown


def test_what_is_shown_means_exactly_what_runs() -> None:
    argv = ["a b", "x'y", "new\nline", "\x01\x7f\t\\", "e\u202ef", "$HOME", "*", "é\u200d", "ab"]
    script = f"printf '%s\\0' {shown_command(argv)}"
    said = subprocess.run(["bash", "-c", script], capture_output=True, env={"LC_ALL": "C.UTF-8"}, check=True).stdout
    assert said.decode().split("\0")[:-1] == argv
    assert shlex.split(shown_command(["a b", "c"])) == ["a b", "c"]


def test_a_request_carries_what_the_card_shows() -> None:
    own = other(argv=("./tool\n",), program="/w/tool\n", digest="d")
    assert (LS.command_shown, LS.folder_shown, LS.program_shown) == ("ls -l", "/w", "/usr/bin/ls")
    assert (LS.confinement, LS.is_from_workspace) == ("bubblewrap", False)
    assert (own.command_shown, own.program_shown, own.is_from_workspace) == (r"$'./tool\n'", r"$'/w/tool\n'", True)
    assert other(argv=("/usr/bin/ls",)).program_shown == ""


# -- what it is bound to ----------------------------------------------------------------------------------------------


def test_an_approval_is_bound_to_arguments_folder_and_program() -> None:
    others = [
        other(argv=("ls", "-l ")),
        other(argv=("ls -l",)),
        other(argv=("ls", "-l", "")),
        other(argv=("ls", "-1")),
        other(cwd=Path("/w/x")),
        other(program="/usr/local/bin/ls"),
        other(digest="d"),
    ]
    assert len({LS.fingerprint, *(one.fingerprint for one in others)}) == len(others) + 1
    assert other(session_key="two", confinement="bubblewrap").fingerprint == LS.fingerprint


# -- what is remembered -----------------------------------------------------------------------------------------------


async def test_always_holds_for_exactly_this_command_and_after_a_restart(tmp_path: Path) -> None:
    first = remembered(tmp_path, "once", "always")
    assert [await first.ask(LS) for _ in range(3)] == ["once", "always", "always"]
    again = remembered(tmp_path, "deny")
    assert await again.ask(other(session_key="two")) == "always"
    assert await again.ask(other(argv=("ls", "-la"))) == "deny"
    assert again.approver.asked == 1  # type: ignore[attr-defined]


async def test_what_is_remembered_is_listed_and_forgotten(tmp_path: Path) -> None:
    approvals = remembered(tmp_path, "always", "always", "deny", "deny")
    await approvals.ask(LS)
    await approvals.ask(other(argv=("wc",)))
    kept = await approvals.kept()
    assert kept[0] == KeptApproval(("ls", "-l"), "/w", "/usr/bin/ls", "", "2026-11-22T09:30:00")
    await approvals.forget(kept[0])
    assert [one.argv for one in await remembered(tmp_path).kept()] == [("wc",)]
    assert await approvals.ask(LS) == "deny"
    await approvals.forget((await approvals.kept())[0])
    assert await remembered(tmp_path).kept() == ()


async def test_a_list_that_came_with_a_workspace_from_elsewhere_approves_nothing(tmp_path: Path) -> None:
    await remembered(tmp_path, "always", key=b"s" * 32).ask(LS)
    assert await remembered(tmp_path, "deny").ask(LS) == "deny"


@pytest.mark.parametrize("field", ["argv", "folder", "program", "digest", "approved"])
async def test_an_entry_that_was_changed_by_hand_approves_nothing(tmp_path: Path, field: str) -> None:
    await remembered(tmp_path, "always").ask(LS)
    path = tmp_path / ".mnemoscope" / "approvals.json"
    entries = json.loads(path.read_text())
    entries[0][field] = ["rm", "-rf"] if field == "argv" else "other"
    path.write_text(json.dumps(entries))
    assert await remembered(tmp_path).kept() == ()


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[1]",
        "{}",
        "[" * 100_000,
        '[{"argv": ["a"]}]',
        '[{"argv": 1, "folder": 1, "program": 1, "digest": 1, "approved": 1, "seal": 1}]',
        '[{"argv": [], "folder": "", "program": "", "digest": "", "approved": "", "seal": "\\ud800"}]',
    ],
)
async def test_a_damaged_list_approves_nothing_and_breaks_nothing(tmp_path: Path, text: str) -> None:
    (tmp_path / ".mnemoscope").mkdir()
    (tmp_path / ".mnemoscope" / "approvals.json").write_text(text)
    assert await remembered(tmp_path).kept() == ()


async def test_an_always_that_cannot_be_kept_runs_nothing(tmp_path: Path) -> None:
    (tmp_path / ".mnemoscope").write_text("in the way")
    approvals = remembered(tmp_path, "always")
    with pytest.raises(StorageError):
        await approvals.ask(LS)


def test_no_tool_writes_the_list(tmp_path: Path) -> None:
    with pytest.raises(PathRefused):
        SandboxedFiles(tmp_path).write(".mnemoscope/approvals.json", b"[]")


def test_the_key_is_made_once_and_is_the_persons_alone(tmp_path: Path) -> None:
    path = tmp_path / "approvals.key"
    key = sealing_key(path)
    assert len(key) == 32
    assert sealing_key(path) == key
    assert path.stat().st_mode & 0o777 == 0o600
    path.write_bytes(b"short")
    assert len(sealing_key(path)) == 32
