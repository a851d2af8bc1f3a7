"""A log begins anew when it is long."""

import logging
from pathlib import Path

from mnemoscope.store.workspace.rolled_log import RolledLog


def lines(count: int, log: RolledLog) -> None:
    for number in range(count):
        log.emit(logging.LogRecord("m", logging.INFO, "", 0, f"line {number:04}", (), None))


def test_a_long_log_is_put_aside_and_only_the_last_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "mnemoscope.log"
    log = RolledLog(path, most_bytes=95, kept=2)
    lines(40, log)
    log.close()
    assert sorted(each.name for each in tmp_path.iterdir()) == [
        "mnemoscope.log",
        "mnemoscope.log.1",
        "mnemoscope.log.2",
    ]
    kept = [(tmp_path / name).read_text().split("\n")[0] for name in ("mnemoscope.log.2", "mnemoscope.log.1")]
    assert kept == ["line 0010", "line 0020"]
    assert path.read_text().startswith("line 0030\n")
    assert path.read_text().endswith("line 0039\n")


def test_a_later_run_writes_on_where_the_last_one_ended(tmp_path: Path) -> None:
    path = tmp_path / "mnemoscope.log"
    for _ in range(2):
        log = RolledLog(path, most_bytes=1_000, kept=2)
        lines(2, log)
        log.close()
    assert path.read_text() == "line 0000\nline 0001\n" * 2


def test_a_log_that_cannot_be_put_aside_is_written_on(tmp_path: Path) -> None:
    path = tmp_path / "mnemoscope.log"
    (tmp_path / "mnemoscope.log.1" / "in the way").mkdir(parents=True)
    log = RolledLog(path, most_bytes=5, kept=1)
    lines(3, log)
    log.close()
    assert path.read_text() == "line 0000\nline 0001\nline 0002\n"


def test_a_log_that_is_too_long_already_is_put_aside_before_the_first_line(tmp_path: Path) -> None:
    path = tmp_path / "mnemoscope.log"
    path.write_text("x" * 200, encoding="utf-8")
    log = RolledLog(path, 100, 1)
    log.emit(logging.LogRecord("here", logging.INFO, __file__, 1, "first", None, None))
    log.close()
    assert path.read_text(encoding="utf-8") == "first\n"
    assert path.with_name("mnemoscope.log.1").read_text(encoding="utf-8") == "x" * 200
