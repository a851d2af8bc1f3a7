"""Which messages the notes tell is kept beside them, without words, and within bounds."""

from pathlib import Path

from mnemoscope.domain.context.exchange_reference import ExchangeReference, NotedExchange, NotedMessage
from mnemoscope.store.logs.exchange_log import ExchangeLog
from mnemoscope.store.workspace.paths import WorkspacePaths

NOTES, BUFFER = "memory/2026-11-22.md", "memory/working-buffer.md"


def reference(index: int, file: str = NOTES) -> ExchangeReference:
    return ExchangeReference(
        file, f"10:30:{index:02}", NotedExchange("desktop:a", (NotedMessage("2026-11-22", index),))
    )


def test_references_are_found_by_file_in_their_order_and_other_lines_passed_over(tmp_path: Path) -> None:
    paths = WorkspacePaths(tmp_path)
    log = ExchangeLog(paths)
    assert log.of(NOTES) == []
    for each in (reference(0), reference(1, BUFFER), reference(2)):
        log.add(each)
    with paths.own.exchange_log_of(NOTES).open("a") as file:
        file.write(f'{{"file": 1, "at": "{NOTES}"}}\n{{"file": "{NOTES}", "a')
    log.add(reference(3))
    assert log.of(NOTES) == [reference(0), reference(2), reference(3)]
    assert log.of(BUFFER) == [reference(1, BUFFER)]


def test_a_long_log_is_begun_anew_and_the_one_before_is_read_too(tmp_path: Path) -> None:
    paths = WorkspacePaths(tmp_path)
    log = ExchangeLog(paths, longest=100)
    log.add(reference(9))
    for index in range(4):
        log.add(reference(index, BUFFER))
    assert log.of(BUFFER) == [reference(2, BUFFER), reference(3, BUFFER)]
    assert sum(file.stat().st_size for file in paths.own.exchange_log_of(BUFFER).parent.iterdir()) < 700
    assert log.of(NOTES) == [reference(9)], "what the notes of a day tell goes for no other file's sake"
