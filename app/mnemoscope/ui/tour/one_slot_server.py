"""A model server on this computer that takes one request at a time, as a person may have one."""

from __future__ import annotations

import asyncio

from mnemoscope.domain.consolidation.save_memory_tool import SAVE_MEMORY_NAME
from mnemoscope.ui.tour.model_server import ModelServer


class OneSlotServer(ModelServer):
    """Lets a consolidation keep its slot until whoever asked leaves; whatever else is asked waits, and gets
    `answer`."""

    def __init__(self, answer: str) -> None:
        super().__init__((answer,))
        self._slot = asyncio.Lock()

    async def respond(self, path: str, body: bytes, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answers one request when the slot is free."""
        if SAVE_MEMORY_NAME.encode() in body:
            self.asked += 1
            async with self._slot:
                await reader.read()
        else:
            async with self._slot:
                await super().respond(path, body, reader, writer)
