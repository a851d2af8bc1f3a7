"""What holds for every test: a home of its own, no network, no keychain, nothing left behind, no error unheard."""

import gc
import os
import shutil
import tempfile
from collections.abc import Generator, Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest
from hypothesis import settings

HAS_QT = find_spec("PySide6") is not None

# Set before anything of Qt, keyring or litellm is imported: each reads its surroundings once.
_home = Path(tempfile.mkdtemp(prefix="mnemoscope-tests-"))
_home.chmod(0o700)
os.environ.update(
    HOME=str(_home),
    XDG_CONFIG_HOME=str(_home / ".config"),
    XDG_DATA_HOME=str(_home / ".local/share"),
    XDG_STATE_HOME=str(_home / ".local/state"),
    XDG_CACHE_HOME=str(_home / ".cache"),
    XDG_RUNTIME_DIR=str(_home),
    PYTHON_KEYRING_BACKEND="keyring.backends.null.Keyring",
)
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
for _key in [name for name in os.environ if name.endswith("_API_KEY")]:
    del os.environ[_key]

# How long an example takes says how busy the machine is, and nothing of the program.
# The short form tries the same examples each time, the long one others at each run.
settings.register_profile("mnemoscope", deadline=None, max_examples=25, derandomize=True)
settings.register_profile("mnemoscope-long", deadline=None, max_examples=250)

pytest_plugins = [
    "pytester",
    "tests.support.network",
    "tests.support.logs",
    "tests.support.leaks",
    "tests.support.missing_full_text",
]
if HAS_QT:
    pytest_plugins += ["tests.support.qt_leaks"]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--long", action="store_true", help="kill and fail at every call, more examples")
    if not HAS_QT:
        for name in ("qt_api", "qt_log_level_fail", "qt_log_ignore"):
            parser.addini(name, "Read by pytest-qt, which is not loaded where Qt is missing.")


def pytest_configure(config: pytest.Config) -> None:
    settings.load_profile("mnemoscope-long" if config.getoption("--long") else "mnemoscope")


@pytest.hookimpl(tryfirst=True)
def pytest_sessionstart(session: pytest.Session) -> None:
    """Ends the measurement of coverage that pytest-cov begins in a worker before it begins the worker's own: nothing
    reads it, and it would go on through the tests that are marked `no_cover`."""
    controller = getattr(session.config.pluginmanager.getplugin("_cov"), "cov_controller", None)
    if controller is not None and hasattr(session.config, "workerinput"):
        controller.cov.stop()


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Collects no garbage while tests are collected: nearly all that is made then stays, and a third of the time would
    go into looking through it. It is not looked through later either."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


@pytest.fixture(autouse=True)
def umask() -> Iterator[None]:
    """Gives each test the process's own umask back, which the program narrows when it starts."""
    before = os.umask(0o022)
    os.umask(before)
    yield
    os.umask(before)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leaves out what only the long form runs."""
    if config.getoption("--long"):
        return
    left_out = [item for item in items if item.get_closest_marker("long")]
    items[:] = [item for item in items if not item.get_closest_marker("long")]
    config.hook.pytest_deselected(items=left_out)


@pytest.fixture
def is_long(request: pytest.FixtureRequest) -> bool:
    """Returns whether the long form of a test is asked for, with `--long`."""
    return bool(request.config.getoption("--long"))


@pytest.fixture
def stride(is_long: bool) -> int:
    """Of the places where a process can be ended, the first of so many is tried: all of them with `--long`."""
    return 1 if is_long else 5


def pytest_unconfigure() -> None:
    shutil.rmtree(_home, ignore_errors=True)
