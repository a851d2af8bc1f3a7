"""Fails a test in which a record of level ERROR is logged, unless it says that it is about a failure (marker
logs_errors)."""

import logging
import re
from collections.abc import Iterator

import pytest


class _Collector(logging.Handler):
    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(f"{record.name}: {record.getMessage()}")


def _is_expected(line: str, request: pytest.FixtureRequest) -> bool:
    return any(
        not marker.args or any(re.search(pattern, line) for pattern in marker.args)
        for marker in request.node.iter_markers("logs_errors")
    )


@pytest.fixture(autouse=True)
def _logs_no_error(request: pytest.FixtureRequest) -> Iterator[None]:
    collector = _Collector()
    root = logging.getLogger()
    root.addHandler(collector)
    try:
        yield
    finally:
        root.removeHandler(collector)
    surprises = [line for line in collector.lines if not _is_expected(line, request)]
    if surprises:
        pytest.fail(
            "Errors were logged that the test does not expect (marker logs_errors):\n" + "\n".join(surprises),
            pytrace=False,
        )
