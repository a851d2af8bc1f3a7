"""Torn ends are set aside when a workspace opens, and only those."""

from __future__ import annotations

from pathlib import Path

from mnemoscope.store.sessions.session_manager import SessionManager


def test_only_a_torn_end_is_set_aside(tmp_path: Path) -> None:
    sessions = SessionManager(tmp_path)
    for key in ("cli:torn", "cli:whole"):
        session = sessions.get_or_create(key)
        session.add_message("user", f"Words of {key}.")
        sessions.save(session)
    torn, whole = (sessions.path_of(key) for key in ("cli:torn", "cli:whole"))
    assert torn is not None
    assert whole is not None
    before = whole.read_bytes()
    with torn.open("ab") as file:
        file.write(b'{"role": "user", "cont')
    SessionManager(tmp_path).health.mend_ends()
    assert whole.read_bytes() == before
    assert torn.read_bytes().endswith(b"}\n")
    again = SessionManager(tmp_path).load("cli:torn")
    assert again is not None
    assert [message["content"] for message in again.messages] == ["Words of cli:torn."]
