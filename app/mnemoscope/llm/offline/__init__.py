"""The built-in model: no language model, only what can be found and quoted."""

from __future__ import annotations

from mnemoscope.llm.offline.provider import OfflineProvider

__all__ = ["OfflineProvider"]
