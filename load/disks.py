"""A disk that is full: a small one of its own, with something on it that takes all the room."""

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

BALLAST = "ballast"


@contextmanager
def small_disk(folder: Path, size: int) -> Iterator[Path]:
    """Mount a disk of so many bytes while the block runs; only root may."""
    folder.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "none", folder], check=True)
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", folder], check=True)


def fill(disk: Path, left: int) -> None:
    """Take all the room of a disk but so many bytes."""
    state = os.statvfs(disk)
    (disk / BALLAST).write_bytes(bytes(state.f_bavail * state.f_frsize - left))


def make_room(disk: Path) -> None:
    """Give the room back."""
    (disk / BALLAST).unlink()
