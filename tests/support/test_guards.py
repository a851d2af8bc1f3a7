"""Tries the guards of the suite itself: each catches what it is there for."""

from pathlib import Path

import pytest

OFFENDERS = """
import asyncio, logging, socket, threading
import pytest

def test_quiet():
    pass

def test_reaches_out():
    with pytest.raises(RuntimeError):
        socket.create_connection(("192.0.2.1", 80), timeout=0.1)

def test_looks_up():
    with pytest.raises(RuntimeError):
        socket.getaddrinfo("example.invalid", 80)

def test_logs():
    logging.getLogger("any").error("it broke")

@pytest.mark.logs_errors("broke")
def test_logs_as_declared():
    logging.getLogger("any").error("it broke")

@pytest.mark.logs_errors("melted")
def test_logs_something_else():
    logging.getLogger("any").error("it broke")

async def test_leaves_a_task():
    asyncio.get_running_loop().keep = asyncio.create_task(asyncio.sleep(60))

@pytest.mark.may_leave("tasks")
async def test_leaves_a_task_as_declared():
    asyncio.get_running_loop().keep = asyncio.create_task(asyncio.sleep(60))

def test_leaves_a_thread():
    threading.Thread(target=threading.Event().wait, args=(60,), daemon=True).start()
"""


def outcomes(pytester: pytest.Pytester, offenders: str) -> dict[str, int]:
    """Runs these tests in a process of their own, under the guards of this suite."""
    top = Path(__file__).parents[2]
    source = pytester.makepyfile(offenders)
    # The package's own file brings the conftest with it.
    where: list[str | Path] = [
        f"--rootdir={top}",
        f"--config-file={top / 'pyproject.toml'}",
        f"--confcutdir={top}",
        top / "tests/__init__.py",
    ]
    return pytester.runpytest_subprocess(*where, source).parseoutcomes()


@pytest.mark.slow
def test_what_a_test_leaves_behind_fails_it(pytester: pytest.Pytester) -> None:
    assert outcomes(pytester, OFFENDERS) == {"passed": 9, "errors": 6}
