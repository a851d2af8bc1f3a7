"""Reads JSON that may be none, because another program, a model or a person wrote it."""

from __future__ import annotations

import json
from typing import Any


def parsed_json(text: str | bytes) -> Any:
    """Returns the value that a text holds; None where it is no JSON, or more than can be read: a nesting too deep, a
    number too long."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def parsed_object(text: str | bytes) -> dict[str, Any]:
    """Returns the object that a text holds, an empty one where it holds none."""
    found = parsed_json(text)
    return found if isinstance(found, dict) else {}
