"""Files that are there whole or not at all."""

from __future__ import annotations

import os
from contextlib import contextmanager
from typing import TYPE_CHECKING
from uuid import uuid4

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@contextmanager
def whole(path: Path) -> Iterator[Path]:
    """Give a name beside a file's own to write under; after the block it has the file's own.

    By then it is on the disk. If the block fails, whatever had that name before still has it.
    """
    draft = path.with_name(f".{path.name}.{uuid4().hex}")
    try:
        yield draft
        _to_disk(draft)
        draft.replace(path)
        _to_disk(path.parent)
    finally:
        draft.unlink(missing_ok=True)


def _to_disk(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
