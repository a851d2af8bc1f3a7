from __future__ import annotations

import pytest

from tests.ui.memory.review.review_fixture import FACTS, began_at
from tests.ui.window_fixture import Stage


@pytest.fixture
def held(stage: Stage) -> Stage:
    """A workspace with a conversation, of which lines are made to wait."""
    stage.make(memory=FACTS)
    began_at(stage.write_session(("user", "Hello"), ("assistant", "Hello.")), "2026-01-01T09:00:00")
    return stage
