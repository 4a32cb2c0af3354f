"""A disk that is full: a small one of its own, with something on it that takes all the room."""

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from bench.figures import Figure, faultless
from bench.phones import acknowledged, faults, in_one_session
from bench.places import Place

BALLAST = "ballast"
MB = 1 << 20


def full_disk(place: Place) -> Iterator[Figure]:
    """Fill the disk, read from it, give it room again; only root can make such a disk."""
    size, left = (16 * MB, MB // 4) if place.postgres else (4 * MB, MB)
    with (
        TemporaryDirectory(prefix="scorer-disk-") as folder,
        small_disk(Path(folder) / "disk", size) as disk,
        place.database(disk) as url,
        place.running(url) as here,
    ):
        (phone,) = phones = in_one_session(here.url, 1)
        fill(disk, left)
        while not phone.refused:
            phone.record(70)
        before, refused = acknowledged(phones), phone.refused.pop()
        page = phone.browser.go("").status_code
        make_room(disk)
        phone.record(70)
        found = faults(phones, url)
    yield Figure("deals acknowledged before the disk was full", before, least=1)
    yield Figure("the answer to the next one", refused, most=507, least=507)
    yield Figure("the answer to a page", page, most=200, least=200)
    yield Figure("deals acknowledged with room again", acknowledged(phones) - before, least=1)
    yield faultless(found)


@contextmanager
def small_disk(folder: Path, size: int) -> Iterator[Path]:
    """Mount a disk of so many bytes while the block runs; only root may."""
    folder.parent.chmod(0o711)  # PostgreSQL is another user
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
