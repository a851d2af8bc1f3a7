"""`mnemoscope export` takes conversations out of a workspace, which stays as it is, and overwrites nothing."""

import io
import json
import shutil
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from mnemoscope.__main__ import main as run_program
from mnemoscope.agent.cli.export_command import main
from mnemoscope.store.files.shipped import shipped
from mnemoscope.store.sessions.session_manager import SessionManager

SHOP = "desktop:20261005-191200-a41c9e"
SHOP_FILE = "sessions/desktop_20261005-191200-a41c9e.jsonl"


@pytest.fixture
def sample(tmp_path: Path) -> Path:
    return Path(shutil.copytree(shipped("workspace"), tmp_path / "sample"))


class CountingReader(AbstractContextManager["CountingReader"]):
    def __exit__(self, *error: object) -> None:
        """Leaves nothing behind."""

    def html_of(self, markdown: str) -> str:
        return f"<em>{len(markdown)}</em>"


def run(root: Path, *options: str) -> tuple[int, bytes]:
    out = io.BytesIO()
    code = main([str(root), *options], CountingReader, out)
    return code, out.getvalue()


def states(root: Path) -> dict[str, tuple[int, int]]:
    return {str(path): (path.stat().st_size, path.stat().st_mtime_ns) for path in root.rglob("*")}


def test_a_conversation_is_printed_and_the_workspace_stays_as_it_is(sample: Path) -> None:
    before = states(sample)
    code, text = run(sample, "--conversation", SHOP)
    assert code == 0
    assert text.startswith(b"# Online shop and the December market\n")
    assert text.count(b"*Consolidated up to here*") == 1
    code, page = run(sample, "--conversation", "Online shop", "--format", "html")
    assert code == 0
    assert page.startswith(b"<!DOCTYPE html>")
    assert b"<em>" in page
    assert states(sample) == before


def test_records_go_out_and_come_back_byte_for_byte(sample: Path, tmp_path: Path) -> None:
    code, records = run(sample, "--conversation", SHOP, "--format", "json")
    assert code == 0
    assert records == (sample / SHOP_FILE).read_bytes()
    again = tmp_path / "again"
    (again / SHOP_FILE).parent.mkdir(parents=True)
    (again / SHOP_FILE).write_bytes(records)
    one, other = SessionManager(sample).load(SHOP), SessionManager(again).load(SHOP)
    assert one is not None
    assert other is not None
    assert list(one.messages) == list(other.messages)
    assert (one.last_consolidated, one.metadata) == (other.last_consolidated, other.metadata)


def test_all_go_to_a_folder_and_a_second_time_overwrites_nothing(
    sample: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    assert run(sample, "--out", str(out))[0] == 0
    first = states(out)
    assert len(first) == 7
    assert "7 of 7 conversations" in capsys.readouterr().err
    assert run(sample, "--out", str(out))[0] == 1
    assert "is there already, so nothing was written" in capsys.readouterr().err
    assert states(out) == first


def test_one_goes_to_a_file_or_under_its_own_name_into_a_folder(sample: Path, tmp_path: Path) -> None:
    assert run(sample, "--conversation", SHOP, "--out", str(tmp_path / "shop.md"))[0] == 0
    assert (tmp_path / "shop.md").read_text(encoding="utf-8").startswith("# Online shop")
    assert run(sample, "--conversation", SHOP, "--out", str(tmp_path))[0] == 0
    assert (tmp_path / "2026-10-05 Online shop and the December market.md").exists()
    assert run(sample, "--conversation", SHOP, "--out", str(tmp_path))[0] == 1


def test_what_cannot_be_done_is_said(sample: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "empty").mkdir()
    for root, options, code, words in (
        (tmp_path / "empty", (), 2, "There is nothing to export."),
        (sample, (), 2, "Name the folder they go to with --out"),
        (sample, ("--conversation", "nobody"), 2, "No conversation is called “nobody”."),
        (sample, ("--conversation", SHOP, "--out", str(tmp_path / "gone" / "a.md")), 1, "could not be written"),
    ):
        assert run(root, *options)[0] == code
        assert words in capsys.readouterr().err


def test_a_page_is_written_where_qt_is_not_loaded(sample: Path, tmp_path: Path) -> None:
    page = tmp_path / "shop.html"
    asked = ["export", str(sample), "--conversation", SHOP, "--format", "html", "--out", str(page)]
    assert run_program(asked) == 0
    assert "<strong>" in page.read_text(encoding="utf-8")


def test_a_formula_is_drawn_in_a_page_and_its_source_is_kept_as_words(tmp_path: Path) -> None:
    answer = {"role": "assistant", "content": r"It is $\frac{a}{b}$, not $\nosuchcommand{x}$, and costs $5 or $10."}
    place = tmp_path / "sessions" / "desktop_one.jsonl"
    place.parent.mkdir()
    head = {"_type": "metadata", "key": "desktop:one", "last_consolidated": 0}
    place.write_text("".join(json.dumps(line) + "\n" for line in (head, answer)), encoding="utf-8")
    page = tmp_path / "page.html"
    asked = ["export", str(tmp_path), "--conversation", "desktop:one", "--format", "html", "--out", str(page)]
    assert run_program(asked) == 0
    text = page.read_text(encoding="utf-8")
    assert text.count('src="data:image/svg+xml;base64,') == 1
    assert r'alt="$\frac{a}{b}$" class="formula"' in text
    assert r"<code>$\nosuchcommand{x}$</code>" in text
    assert "$5 or $10" in text
