"""What of a folder counts, what of it was agreed to, and what a setting made here adds."""

from dataclasses import replace

import pytest

from mnemoscope.domain.settings import LOCAL_EMBEDDING, Settings, embedding_model_in_force
from mnemoscope.domain.trust import (
    FolderIdentity,
    Terms,
    TrustState,
    Use,
    agreed_by_setting,
    changes_of,
    terms_of,
    uses_of,
)

REMOTE = Settings(model="openai/gpt-5", api_base="http://192.168.1.5")
FILES = {"AGENTS.md": "a1", "skills/send/SKILL.md": "b2"}


def names(terms: Terms, agreed: Terms | None = None, known: frozenset[str] = frozenset()) -> list[str]:
    return [change.name for change in changes_of(terms, agreed, known)]


def test_where_no_words_leave_nothing_counts() -> None:
    settings = Settings(api_base="http://evil.example", exec_enabled=True, embedding_model="local/wordllama")
    assert not terms_of(settings, FILES)
    assert terms_of(Settings(embedding_model="openai/meanings"), FILES)
    assert terms_of(Settings(dream_model="openai/gpt-5"), {})


def test_everything_counts_that_was_not_agreed_to_and_nothing_that_was() -> None:
    terms = terms_of(REMOTE, FILES)
    assert names(terms) == ["model", "api_base", "AGENTS.md", "skills/send/SKILL.md"]
    assert names(terms, terms) == []
    assert names(terms, known=frozenset({"a1"})) == ["model", "api_base", "skills/send/SKILL.md"]


def test_an_address_that_is_taken_away_leads_elsewhere_too() -> None:
    agreed = terms_of(REMOTE, {})
    assert names(terms_of(Settings(model="openai/gpt-5"), {}), agreed) == ["api_base"]
    assert names(terms_of(Settings(model="openai/gpt-5"), {}), terms_of(Settings(model="openai/gpt-5"), {})) == []


def test_what_is_switched_off_or_gone_needs_no_yes() -> None:
    agreed = terms_of(Settings(model="openai/a", exec_enabled=True, dream_model="openai/b"), FILES)
    assert names(terms_of(Settings(model="openai/a"), {}), agreed) == []


@pytest.mark.parametrize(
    ("before", "after", "left"),
    [
        (Settings(), Settings(model="openai/a"), []),
        (Settings(api_base="x"), Settings(model="openai/a", api_base="x"), ["api_base"]),
        (Settings(exec_enabled=True), Settings(model="openai/a", exec_enabled=True), ["exec_enabled"]),
        (REMOTE, Settings(model="openai/gpt-5", api_base="y"), ["model"]),
        (Settings(), Settings(model="openai/a", profile="dream"), []),
        (
            Settings(dream_day_tokens=0, dream_interval_hours=1),
            Settings(model="openai/a", profile="dream", dream_day_tokens=0, dream_interval_hours=1),
            ["dream_interval_hours", "dream_day_tokens"],
        ),
        (
            Settings(model="openai/a", profile="dream", dream_paused=True),
            Settings(model="openai/a", profile="dream"),
            ["model"],
        ),
    ],
)
def test_a_setting_that_is_made_here_is_agreed_to_and_no_other(
    before: Settings, after: Settings, left: list[str]
) -> None:
    changed = frozenset({"model", "api_base", "profile", "dream_paused", "exec_enabled", "dream_day_tokens", "theme"})
    assert names(terms_of(after, {}), agreed_by_setting(None, before, after, changed)) == left


def test_what_was_switched_on_while_nothing_left_stays_agreed_to() -> None:
    steps = [Settings(), Settings(exec_enabled=True), Settings(exec_enabled=True, profile="dream")]
    steps.append(Settings(exec_enabled=True, profile="dream", model="openai/a"))
    agreed: Terms | None = None
    for before, after, name in zip(steps[:-1], steps[1:], ("exec_enabled", "profile", "model"), strict=True):
        agreed = agreed_by_setting(agreed, before, after, {name})
    assert names(terms_of(steps[-1], {}), agreed) == []


def test_a_fingerprint_names_the_folder_and_every_word() -> None:
    folder = FolderIdentity("/home/a", 1, 2)
    terms = terms_of(REMOTE, FILES)
    others = [
        terms.fingerprint(FolderIdentity("/home/b", 1, 2)),
        terms.fingerprint(FolderIdentity("/home/a", 2, 2)),
        terms.fingerprint(FolderIdentity("/home/a", 1, 3)),
        terms_of(REMOTE, {**FILES, "AGENTS.md": "a2"}).fingerprint(folder),
        terms_of(Settings(model="openai/gpt-5", api_base="http://192.168.1.6"), FILES).fingerprint(folder),
    ]
    assert len({terms.fingerprint(folder), *others}) == 6
    assert terms.fingerprint(folder) == terms_of(REMOTE, dict(reversed(FILES.items()))).fingerprint(folder)


def test_a_state_without_changes_waits_for_nobody() -> None:
    assert not TrustState().is_waiting


def test_the_model_of_the_background_is_a_term_and_dream_s_where_it_has_none() -> None:
    beside = Settings(background_model="openai/small")
    assert uses_of(beside) == {Use.BACKGROUND, Use.DREAM}
    assert terms_of(beside, {}).settings["background_model"] == "openai/small"
    assert uses_of(Settings(model="openai/a", background_model="offline")) == {Use.ANSWERS}
    assert uses_of(replace(beside, dream_model="offline")) == {Use.BACKGROUND}
    assert replace(beside, dream_model="openai/d").model_of_dream == "openai/d"
    assert Settings(model="openai/a").model_in_background == "openai/a"


@pytest.mark.parametrize("named", ["", "off", " off ", "local/wordllama", LOCAL_EMBEDDING, "offline"])
def test_the_search_by_meaning_of_this_computer_sends_nothing(named: str) -> None:
    assert uses_of(Settings(embedding_model=named)) == frozenset()


def test_a_model_of_a_server_is_in_force_by_its_name() -> None:
    in_force = {
        name: embedding_model_in_force(Settings(embedding_model=name))
        for name in ("", "off", "openai/m", "local/wordllama")
    }
    assert in_force == {"": LOCAL_EMBEDDING, "off": "", "openai/m": "openai/m", "local/wordllama": LOCAL_EMBEDDING}
