"""The commands that run without a window, as a shell runs them: what becomes of an output that takes nothing."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from mnemoscope.__main__ import COMMANDS, main
from mnemoscope.store.files.shipped import shipped
from mnemoscope.store.workspace.workspace import create_workspace

pytestmark = pytest.mark.slow
SHOP = "Online shop and the December market"
PRINTING = [("audit",), ("audit", "--json"), ("doctor",), ("export", "--conversation", SHOP)]


@pytest.fixture
def sample(tmp_path: Path) -> Path:
    root = tmp_path / "sample"
    create_workspace(root, template=shipped("workspace"))
    return root


def command_of(words: tuple[str, ...], root: Path) -> list[str]:
    return [sys.executable, "-m", "mnemoscope", words[0], str(root), *words[1:]]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
@pytest.mark.parametrize("words", PRINTING)
def test_a_full_disk_behind_the_output_is_said_in_a_sentence(words: tuple[str, ...], sample: Path) -> None:
    with open("/dev/full", "wb") as full:
        ended = subprocess.run(command_of(words, sample), stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert ended.returncode == 1
    assert ended.stderr == "What was to be printed could not be written: No space left on device.\n"


@pytest.mark.parametrize("words", PRINTING)
def test_whoever_reads_may_stop_reading(words: tuple[str, ...], sample: Path) -> None:
    with subprocess.Popen(
        command_of(words, sample), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == ""
    assert process.returncode == 0


def test_the_exit_code_of_a_command_is_its_own(sample: Path, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    ended = subprocess.run(command_of(("audit",), tmp_path / "empty"), capture_output=True, text=True, check=False)
    assert ended.returncode == 2
    assert subprocess.run(command_of(("audit",), sample), capture_output=True, check=False).returncode == 0


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("audti", "sample"), "“audti” is neither a folder nor a command. Did you mean audit?"),
        (("docter",), "“docter” is neither a folder nor a command. Did you mean doctor?"),
        (("help",), "Did you mean --help?"),
        (("nowhere", "--jsn"), "“nowhere” is neither a folder nor a command."),
        (("--jsn",), "unrecognized arguments: --jsn"),
    ],
)
def test_a_slip_for_a_command_opens_no_window(
    words: tuple[str, ...],
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as ended:
        main(words)
    assert ended.value.code == 2
    assert capsys.readouterr().err.rstrip().endswith(said)


def test_the_help_lists_each_command_on_a_line_of_its_own(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--help"])
    lines = capsys.readouterr().out.splitlines()
    for command in COMMANDS:
        assert [line for line in lines if line.startswith(f"  {command} ")], command
