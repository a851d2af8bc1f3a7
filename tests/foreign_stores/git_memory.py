"""Makes the git repository in which an agent keeps its memory, commit by commit, loose or packed."""

from __future__ import annotations

import hashlib
import struct
import zlib
from collections.abc import Mapping, Sequence
from pathlib import Path

from dulwich.index import build_index_from_tree
from dulwich.objects import Blob, Commit, ObjectID, Tree
from dulwich.pack import write_pack_index_v2
from dulwich.refs import Ref
from dulwich.repo import Repo

BEGAN = 1_790_000_000
AUTHOR = b"Letta Code <agent@letta.com>"


class GitMemory:
    """A repository whose work tree is `root`. `commit` puts all files of a moment into it."""

    def __init__(self, root: Path) -> None:
        self.root, self.git = root, root / ".git"
        root.mkdir(parents=True, exist_ok=True)
        Repo.init(str(root), default_branch=b"main").close()
        self.newest = b""
        self._number = 0

    def commit(self, subject: str, files: Mapping[str, str | bytes], *, when: int = 0, author: bytes = AUTHOR) -> str:
        """Makes a commit that holds these files and no others, and puts them into the work tree."""
        with Repo(str(self.root)) as repo:
            commit = Commit()
            commit.tree = self._tree(repo, {name: _bytes(each) for name, each in files.items()})
            commit.parents = [ObjectID(self.newest)] if self.newest else []
            commit.author = commit.committer = author
            self._number += 1
            commit.author_time = commit.commit_time = when or BEGAN + 60 * self._number
            commit.author_timezone = commit.commit_timezone = 0
            commit.message, commit.encoding = f"{subject}\n\nMore of it.\n".encode(), b"UTF-8"
            repo.object_store.add_object(commit)
            repo.refs[Ref(b"refs/heads/main")] = commit.id
            build_index_from_tree(str(self.root), repo.index_path(), repo.object_store, commit.tree)
        self.newest = commit.id
        return commit.id.decode()

    def loose(self, name: str) -> Path:
        """Returns the file of an object."""
        return self.git / "objects" / name[:2] / name[2:]

    def pack(self, entries: Sequence[tuple[str, bytes]]) -> Path:
        """Writes a pack of such entries as they stand in it, each under the id of its object, and removes the loose
        ones of these ids."""
        data = bytearray(struct.pack(">4sLL", b"PACK", 2, len(entries)))
        index = []
        for name, entry in entries:
            index.append((bytes.fromhex(name), len(data), zlib.crc32(entry)))
            data += entry
            self.loose(name).unlink(missing_ok=True)
        checksum = hashlib.sha1(data).digest()
        path = self.git / "objects" / "pack" / f"pack-{checksum.hex()}.pack"
        path.write_bytes(data + checksum)
        with path.with_suffix(".idx").open("wb") as file:
            write_pack_index_v2(file, sorted(index), checksum)
        return path

    def _tree(self, repo: Repo, files: Mapping[str, bytes]) -> ObjectID:
        tree, folders = Tree(), dict[str, dict[str, bytes]]()
        for path, data in files.items():
            folder, _, rest = path.partition("/")
            if rest:
                folders.setdefault(folder, {})[rest] = data
            else:
                blob = Blob.from_string(data)
                repo.object_store.add_object(blob)
                tree.add(path.encode(), 0o100644, blob.id)
        for folder, inside in folders.items():
            tree.add(folder.encode(), 0o40000, self._tree(repo, inside))
        repo.object_store.add_object(tree)
        return tree.id


def entry(kind: int, content: bytes, *, before: bytes = b"", length: int | None = None) -> bytes:
    """Returns an entry of a pack: `before` stands between its head and what it holds, `length` is told in its head."""
    left = len(content) if length is None else length
    head, left = bytearray([(kind << 4) | (left & 15)]), left >> 4
    while left:
        head[-1] |= 128
        head.append(left & 127)
        left >>= 7
    return bytes(head) + before + zlib.compress(content)


def delta(base: int, target: bytes, *, length: int | None = None) -> bytes:
    """Returns a delta that puts in all of a short `target`, on an object of `base` bytes."""
    return _number(base) + _number(len(target) if length is None else length) + bytes([len(target)]) + target


def back(offset: int) -> bytes:
    """Returns how far before it the object stands that a delta is on."""
    found = bytearray([offset & 127])
    while offset := offset >> 7:
        offset -= 1
        found.insert(0, 128 | (offset & 127))
    return bytes(found)


def _number(value: int) -> bytes:
    found = bytearray([value & 127])
    while value := value >> 7:
        found[-1] |= 128
        found.append(value & 127)
    return bytes(found)


def _bytes(data: str | bytes) -> bytes:
    return data.encode() if isinstance(data, str) else data
