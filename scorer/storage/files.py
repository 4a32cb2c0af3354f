"""Files that are there whole or not at all, and that nobody else on the machine reads."""

from __future__ import annotations

import os
import re
import stat
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from typing import TYPE_CHECKING
from uuid import uuid4

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

#: What nobody but its owner may do with a file.
OF_OTHERS = 0o077
#: What ends the name of a copy: when it was made.
MOMENT = f"{'[0-9]' * 8}T{'[0-9]' * 12}"


@contextmanager
def whole(path: Path) -> Iterator[Path]:
    """Give an empty file beside a file's own name to write to; after the block it has that name.

    By then it is on the disk. If the block fails, whatever had that name before still has it.
    Only its owner can read it.
    """
    draft = path.with_name(f".{path.name}.{uuid4().hex}")
    draft.touch(mode=0o600, exist_ok=False)
    try:
        yield draft
        _to_disk(draft)
        draft.replace(path)
        _to_disk(path.parent)
    finally:
        draft.unlink(missing_ok=True)


def hide(paths: Iterable[Path]) -> None:
    """Let nobody but their owner read files and folders.

    Links, what belongs to another user, and folders that everybody writes to stay as they are.
    """
    for path in paths:
        with suppress(OSError):
            found = path.lstat()
            shared = stat.S_ISDIR(found.st_mode) and found.st_mode & stat.S_ISVTX
            if found.st_uid == os.geteuid() and not stat.S_ISLNK(found.st_mode) and not shared:
                path.chmod(stat.S_IMODE(found.st_mode) & ~OF_OTHERS)


def moment() -> str:
    """Give the moment for the name of a copy, in UTC."""
    return f"{datetime.now(UTC):%Y%m%dT%H%M%S%f}"


def rotate(copies: Iterable[Path], keep: int) -> None:
    """Delete all but the newest of the copies that have their moment at the end of their name."""
    newest_first = sorted(copies, key=lambda one: re.findall(MOMENT, one.name)[-1:], reverse=True)
    for old in newest_first[keep:]:
        old.unlink()


def _to_disk(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
