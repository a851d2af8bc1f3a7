"""Messages as they stand in a session file, block by block: decoded when looked at, kept while they are looked at."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from typing import Final

from mnemoscope.domain.conversation.message import Message
from mnemoscope.store.sessions.lines import RecordDamaged, decode_message, placeholder
from mnemoscope.store.sessions.session_file import SessionFile
from mnemoscope.store.sessions.session_index import SessionIndex, locate_line

_KEPT_BYTES: Final = 2 << 20


@dataclass(slots=True)
class Block:
    """Lines of a block; a line is replaced by its message once it was decoded."""

    lines: list[bytes | Message]
    size: int


@dataclass(slots=True)
class Found:
    """Where a message stands, as the file was when it was looked up."""

    file: SessionFile
    index: SessionIndex
    block: Block
    number: int
    place: int
    """Of its line in the block."""

    def message(self) -> Message:
        """The message; `{"role": "damaged", …}` where it cannot be read. Raises StaleFile."""
        line = self.block.lines[self.place]
        if isinstance(line, bytes):
            line = self.block.lines[self.place] = self._decoded(line)
        return line

    def _decoded(self, line: bytes) -> Message:
        index, number = self.index, self.number
        known = index.damaged.get(number)
        if known:
            return placeholder(known.reason)
        try:
            return decode_message(line)
        except RecordDamaged as damage:
            # The block is read again for the offset: damage is rare, and offsets of sound lines are not kept.
            data = self.file.read(index, *index.span(index.block_of(number)))
            index.damaged[number] = locate_line(data, index, number, str(damage))
            return placeholder(str(damage))


class MessageBlocks:
    """The blocks of a file that were looked at last. Not for two threads at once."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[int, int, int], Block] = OrderedDict()
        self.size = 0
        """In bytes of the file."""

    def clear(self) -> None:
        """Another file is read from now on."""
        self._kept.clear()
        self.size = 0

    def find(self, file: SessionFile, number: int) -> Found:
        """Where message `number` stands. Raises StaleFile where another program changed the file."""
        index = file.index
        block_number = index.block_of(number)
        start, stop = index.span(block_number)
        key = (index.generation, start, stop)
        block = self._kept.get(key)
        if block is None:
            block = Block(list(file.block(index, block_number)), stop - start)
            self._keep(key, block)
        else:
            self._kept.move_to_end(key)
        return Found(file, index, block, number, number - index.firsts[block_number])

    def _keep(self, key: tuple[int, int, int], block: Block) -> None:
        self._kept[key] = block
        self.size += block.size
        while self.size > _KEPT_BYTES and len(self._kept) > 1:
            _, oldest = self._kept.popitem(last=False)
            self.size -= oldest.size
