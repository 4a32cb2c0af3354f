"""Files that are written atomically and are private to their owner."""

import os
import re
import shutil
import stat
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from tempfile import mkdtemp
from uuid import uuid4

#: The permissions of group and others.
OF_OTHERS = 0o077
#: A pattern of the moment at the end of a copy's name.
MOMENT = f"{'[0-9]' * 8}T{'[0-9]' * 12}"


@contextmanager
def atomic_write(path: Path) -> Iterator[Path]:
    """Yield a private draft to write to, which replaces the file after the block.

    By then it is flushed to the disk. If the block fails, the file stays as it was.
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


@contextmanager
def own_folder(prefix: str) -> Iterator[Path]:
    """Yield a new temporary folder; the process that made it, but none of its forks, deletes it."""
    process, folder = os.getpid(), Path(mkdtemp(prefix=prefix))
    try:
        yield folder
    finally:
        if os.getpid() == process:
            shutil.rmtree(folder, ignore_errors=True)


def hide(paths: Iterable[Path]) -> None:
    """Make files and folders private to their owner.

    Symbolic links, files of other users and sticky folders stay as they are.
    """
    for path in paths:
        with suppress(OSError):
            status = path.lstat()
            shared = stat.S_ISDIR(status.st_mode) and status.st_mode & stat.S_ISVTX
            if status.st_uid == os.geteuid() and not stat.S_ISLNK(status.st_mode) and not shared:
                path.chmod(stat.S_IMODE(status.st_mode) & ~OF_OTHERS)


def moment() -> str:
    """Format the current moment, in UTC, for the name of a copy."""
    return f"{datetime.now(UTC):%Y%m%dT%H%M%S%f}"


def rotate(copies: Iterable[Path], keep: int) -> None:
    """Delete all copies except the newest ones, by the moment in their names."""
    newest_first = sorted(copies, key=lambda copy: re.findall(MOMENT, copy.name)[-1:], reverse=True)
    for old in newest_first[keep:]:
        old.unlink()


def _to_disk(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
