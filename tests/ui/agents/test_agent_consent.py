"""The consent to look at other agents is kept in the settings, and no place is looked at without it."""

from pathlib import Path

import pytest
from PySide6.QtCore import QSettings

from mnemoscope.ui.agents.agent_consent import AgentConsent


@pytest.fixture
def settings(tmp_path: Path) -> QSettings:
    return QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat)


def test_nothing_is_agreed_to_before_the_person_says_so(settings: QSettings) -> None:
    assert not AgentConsent(settings).places().is_any


def test_what_is_agreed_to_holds_in_the_next_window_until_it_is_taken_back(settings: QSettings, tmp_path: Path) -> None:
    consent = AgentConsent(settings)
    consent.agree()
    for _ in range(2):
        consent.add_folder(tmp_path)
    places = AgentConsent(settings).places()
    assert places.looks
    assert places.folders == (tmp_path,)
    consent.withdraw()
    assert not AgentConsent(settings).places().is_any


@pytest.mark.parametrize("kept", ["[", '{"a": 1}', "[1, null]"])
def test_settings_that_cannot_be_read_are_no_consent(settings: QSettings, kept: str) -> None:
    settings.setValue("agents/folders", kept)
    settings.setValue("agents/look", "perhaps")
    assert not AgentConsent(settings).places().is_any
