"""The tour's own parts; the tour itself is a step of the checks."""

import errno
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from mnemoscope.domain.llm import ChatRequest
from mnemoscope.llm.model_process.process import ModelProcess
from mnemoscope.ui.tour.driver import Driver, Shot, write_index
from mnemoscope.ui.tour.model_server import ModelServer, ProviderStandIn
from mnemoscope.ui.tour.stage import Stage as TourStage
from mnemoscope.ui.tour.story import offscreen_platform
from mnemoscope.ui.tour.tour_disk import TourDisk
from mnemoscope.ui.tour.tour_model import TourModel
from tests.ui.window_fixture import Stage


def test_its_disk_refuses_every_change_as_long_as_it_is_told_to(tmp_path: Path) -> None:
    disk = TourDisk()
    disk.mkdir(str(tmp_path / "one"))
    disk.error = errno.ENOSPC
    with pytest.raises(OSError, match="No space left"):
        disk.mkdir(str(tmp_path / "two"))
    with pytest.raises(OSError, match="No space left"):
        disk.replace("one", "three")
    disk.error = 0
    disk.mkdir(str(tmp_path / "two"))


def test_it_keeps_what_a_kill_at_the_next_commit_would_leave(tmp_path: Path) -> None:
    root, copy = tmp_path / "workspace", tmp_path / "copy"
    own = root / ".mnemoscope"
    own.mkdir(parents=True)
    (own / "new").write_text("{}")
    disk = TourDisk()
    disk.keep(root, copy)
    disk.replace(str(own / "new"), str(own / "intent.json"))
    assert (copy / ".mnemoscope" / "intent.json").read_text() == "{}"


def test_the_page_shows_the_pictures_chapter_by_chapter(tmp_path: Path) -> None:
    shots = [Shot("1.png", "A <title>", "Words.", "One"), Shot("2.png", "Two", "More.", "One")]
    page = write_index(tmp_path, shots).read_text("utf-8")
    assert page.count("<h2") == 1
    assert "A &lt;title&gt;" in page
    assert page.index("1.png") < page.index("2.png")


def test_a_page_for_a_browser_stands_among_the_pictures(tmp_path: Path, qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    driver = Driver(tmp_path, window)
    kept = driver.keep_page("exported", "An export", "In colours.")
    page = write_index(tmp_path, driver.shots).read_text("utf-8")
    assert f'<iframe src="{kept.name}" title="An export">' in page


def test_a_pdf_stands_among_the_pictures(tmp_path: Path, qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    driver = Driver(tmp_path, window)
    kept = driver.keep_page("printed", "Pages", "Black on white.", "pdf")
    assert kept.suffix == ".pdf"
    assert f'<iframe src="{kept.name}" title="Pages">' in write_index(tmp_path, driver.shots).read_text("utf-8")


async def test_what_stands_in_for_a_provider_costs_what_the_provider_does(model_process: ModelProcess) -> None:
    asked, set_address = ChatRequest([{"role": "user", "content": "Well?"}], model="openai/gpt-4o"), [""]
    async with ModelServer(("Yes.", "Yes.")) as server:
        provider = ProviderStandIn(lambda: set_address[0], model_process)
        provider.server = server.address
        answer = await provider.complete(asked)
        read, written = answer.usage["prompt_tokens"], answer.usage["completion_tokens"]
        assert answer.content == "Yes."
        assert answer.cost == pytest.approx((2.5 * read + 10 * written) / 1e6)
        assert min(read, written) > 0
        # What a server of one's own costs nobody knows.
        set_address[0] = server.address
        assert (await provider.complete(asked)).cost is None


def test_without_a_screen_it_has_one_of_a_usual_size(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
    given = offscreen_platform(tmp_path)
    asked = (
        "import sys; from PySide6.QtGui import QGuiApplication; "
        "print(*QGuiApplication(sys.argv).primaryScreen().size().toTuple())"
    )
    ran = subprocess.run([sys.executable, "-c", asked, *given], capture_output=True, text=True, check=True)
    assert ran.stdout.split() == ["1440", "900"]
    monkeypatch.setenv("QT_QPA_PLATFORM", "xcb")
    assert offscreen_platform(tmp_path) == []


async def test_where_the_wide_window_is_enough_a_scene_has_no_picture_of_a_small_one(
    stage: Stage, tmp_path: Path
) -> None:
    person = await stage.open()
    driver = Driver(tmp_path, person.window)
    played = TourStage(person.current, driver, TourModel(), ProviderStandIn(lambda: ""), "light", is_wide_only=True)
    await played.shoot("talk", "A talk", "Words.")
    played.is_wide_only = False
    await played.shoot("talk", "A talk", "Words.")
    played.leave()
    assert [shot.name for shot in driver.shots] == ["01-talk.png", "02-talk.png", "02-talk-small.png"]
