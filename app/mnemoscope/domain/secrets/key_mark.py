"""The mark that stands where a key was. It is apart from what finds keys, which a text shown does not need."""

from __future__ import annotations

import re
from typing import Final

MARK_OPENS: Final = "[key kept out"
KEY_MARK: Final = re.compile(re.escape(MARK_OPENS) + r"[^\]]*\]")
