"""Reads the YAML that stands at the top of a Markdown file between two lines of `---`.

The files are another program's, so what is read is bounded: 64 KB of plain values. Aliases are refused, since a few
lines of them stand for any amount of memory, and tags make no objects.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import yaml

from mnemoscope.domain.text.front_matter import split_front_matter

_MOST: Final = 1 << 16
_DEEPEST: Final = 50


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """Holds the fields at the top of a file and the text behind them. `fault` says why they could not be read, "" where
    they could; there are none then."""

    fields: Mapping[str, Any] = field(default_factory=dict)
    body: str = ""
    fault: str = ""

    def text(self, name: str) -> str:
        """Returns a field that is text, "" where it is anything else or missing."""
        value = self.fields.get(name)
        return value if isinstance(value, str) else ""


def read_front_matter(text: str) -> FrontMatter:
    """Returns the fields and the body of a file; without fields all of it is body."""
    stated, body = split_front_matter(text)
    if len(stated) > _MOST:
        return FrontMatter(body=body, fault="its front matter is too long")
    try:
        fields = yaml.load(stated, _PlainLoader)
    except (yaml.YAMLError, ValueError, TypeError, OverflowError, RecursionError):
        return FrontMatter(body=body, fault="its front matter is no plain YAML")
    if fields is None:
        return FrontMatter(body=body)
    if not isinstance(fields, dict):
        return FrontMatter(body=body, fault="its front matter is no list of fields")
    return FrontMatter({str(name): value for name, value in fields.items()}, body)


class _PlainLoader(yaml.SafeLoader):  # type: ignore[misc]  # it comes without types
    """Loads plain values, and no alias and nothing nested deeply."""

    _depth = 0

    def compose_node(self, parent: Any, index: Any) -> Any:
        if self.check_event(yaml.AliasEvent):
            raise yaml.YAMLError("an alias")
        if self._depth >= _DEEPEST:
            raise yaml.YAMLError("nested too deeply")
        self._depth += 1
        try:
            return super().compose_node(parent, index)
        finally:
            self._depth -= 1
