"""No key reaches the log, and the log begins anew when it is long."""

import io
import logging
from pathlib import Path

import pytest

from mnemoscope.domain.errors import ToolError, UnreadableFile
from mnemoscope.store.files.chosen_text_file import read_text_file
from mnemoscope.store.workspace.keychain import Keychain
from mnemoscope.store.workspace.program_log import MaskedFormatter, program_log


def test_a_known_key_is_masked_in_messages_and_tracebacks() -> None:
    keys, out = Keychain(environment={}), io.StringIO()
    handler = logging.StreamHandler(out)
    handler.setFormatter(MaskedFormatter(keys.secrets))
    log = logging.getLogger("mnemoscope.of_the_test")
    log.addHandler(handler)
    log.propagate = False
    keys.remember("openai", "canary-0123456789", persist=False)
    log.warning("asked with %s", "canary-0123456789")
    try:
        raise ValueError("refused: canary-0123456789")
    except ValueError:
        log.warning("failed", exc_info=True)
    log.removeHandler(handler)
    assert "canary" not in out.getvalue()
    assert out.getvalue().count("[key kept out: from the keychain") == 3


def test_what_looks_like_a_key_is_masked_too_and_the_rest_stays() -> None:
    formatter = MaskedFormatter(lambda: ())
    record = logging.LogRecord("m", logging.INFO, "", 0, "asked %s with ghp_%s", ("a host", "x1" * 18), None)
    assert formatter.format(record).endswith(" INFO m: asked a host with [key kept out: GitHub …x1x1]")


def logged(error: Exception, words: str = "failed") -> str:
    """Returns what the log says of an error with its traceback."""
    record = logging.LogRecord("m", logging.ERROR, "", 0, words, (), (type(error), error, error.__traceback__))
    return MaskedFormatter(lambda: ()).format(record)


@pytest.mark.parametrize("name", ["my divorce.txt", "it's private.png", 'a "plan".pdf', "two\nlines.txt"])
def test_the_name_of_a_file_that_a_person_chose_reaches_no_log(tmp_path: Path, name: str) -> None:
    missing = tmp_path / name
    for attempt in (missing.read_bytes, lambda: missing.rename(tmp_path / f"new {name}")):
        with pytest.raises(FileNotFoundError) as caught:
            attempt()
        said = logged(caught.value)
        assert "FileNotFoundError: [Errno 2] No such file or directory: “…”" in said
        assert name.split()[-1] not in said.replace("\\n", "\n")
    with pytest.raises(UnreadableFile) as refused:
        read_text_file(missing)
    assert str(refused.value).startswith(f"“{name}” could not be read: it, or its folder, is not there.")
    assert name.split()[-1] not in logged(refused.value)
    assert name.split()[-1] not in logged(ValueError("none"), f"{refused.value.sentence} {refused.value.context}")
    refusal = ToolError(f"There is no “{name}” in the workspace.", path=name)
    assert name.split()[-1] not in logged(ValueError("none"), f"tool refused: {refusal.sentence} {refusal.context}")


@pytest.mark.parametrize(
    "path", ["memory/MEMORY.md", "config.json", "memory/2026-03-15.md", "sessions/a_b.jsonl", ".mnemoscope/ledger/x"]
)
def test_the_place_of_a_file_of_the_workspace_stays_in_the_log(tmp_path: Path, path: str) -> None:
    with pytest.raises(FileNotFoundError) as caught:
        (tmp_path / path).read_bytes()
    assert f"'{tmp_path / path}'" in logged(caught.value)
    assert str({"path": str(tmp_path / path)}) in logged(caught.value, str({"path": str(tmp_path / path)}))


def lines(count: int, log: logging.Handler) -> None:
    for number in range(count):
        log.emit(logging.LogRecord("m", logging.INFO, "", 0, f"line {number:04}", (), None))


def test_a_long_log_is_put_aside_and_only_the_last_are_kept(tmp_path: Path) -> None:
    log = program_log(tmp_path / "mnemoscope.log", frozenset, most_bytes=450)
    lines(40, log)
    log.close()
    logs = [(tmp_path / f"mnemoscope.log{name}").read_text() for name in (".2", ".1", "")]
    assert len(list(tmp_path.iterdir())) == 3
    assert all(0 < len(text) <= 450 for text in logs)
    kept = [line[-9:] for text in logs for line in text.splitlines()]
    assert kept == [f"line {number:04}" for number in range(40 - len(kept), 40)]


def test_a_later_run_writes_on_where_the_last_one_ended(tmp_path: Path) -> None:
    path = tmp_path / "mnemoscope.log"
    for _ in range(2):
        log = program_log(path, frozenset)
        lines(2, log)
        log.close()
    assert [line[-9:] for line in path.read_text().splitlines()] == ["line 0000", "line 0001"] * 2


def test_a_log_that_is_too_long_already_is_put_aside_before_the_first_line(tmp_path: Path) -> None:
    path = tmp_path / "mnemoscope.log"
    path.write_text("x" * 200, encoding="utf-8")
    log = program_log(path, frozenset, most_bytes=100)
    lines(1, log)
    log.close()
    assert path.read_text(encoding="utf-8").endswith("line 0000\n")
    assert path.with_name("mnemoscope.log.1").read_text(encoding="utf-8") == "x" * 200
