"""Where the server listens, and the address that phones open, as text and as a QR code."""

import io
import socket
import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import segno

from scorer.errors import ScorerError
from scorer.storage.private_files import atomic_write
from scorer.web.base.addresses import opens_only_here

EVERY_ADDRESS = ("0.0.0.0", "::", "")  # noqa: S104  # compared, not listened on
#: The file of the instance folder with the address that was printed last.
ANNOUNCED = "address"
MOVED = (
    "It was {before} the last time. Phones that joined there have to join again: the owner pastes "
    "a recovery link under “Join with a code”, or you run scorer link CIRCLE. "
    "To keep the address, give the machine a fixed one, or a name with --public-url."
)
ONLY_HERE = "Other phones cannot open that address: set another one with --host or --public-url."


@dataclass(frozen=True, slots=True)
class ListenPlace:
    """Where the server listens: at a port of a host, or at a socket file instead."""

    host: str
    port: int
    file: Path | None = None

    @property
    def bind(self) -> str:
        if self.file:
            return f"unix:{self.file.absolute()}"
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"

    def probe(self) -> None:
        """Raise OSError for a port, or ScorerError for a file, that cannot be listened at."""
        if self.file:
            _try_file(self.file)
            return
        host, port = self.host, self.port
        try:
            family = socket.AF_INET6 if ":" in host else socket.AF_INET
            socket.create_server((host, port), family=family).close()
        except (OSError, OverflowError) as error:
            message = (
                f"cannot listen at port {port} of {host} ({error}); choose another with --port"
            )
            raise OSError(message) from error

    def address(self, scheme: str) -> str:
        return self.bind if self.file else address(self.host, self.port, scheme)


def _try_file(file: Path) -> None:
    """Refuse a socket file at which another server listens; a stale one is replaced later."""
    if file.exists() and not file.is_socket():
        raise ScorerError(f"{file} is not a socket; choose another file with --socket")
    if not file.absolute().parent.is_dir():
        raise ScorerError(f"the folder of {file} does not exist")
    with socket.socket(socket.AF_UNIX) as probe:
        try:
            in_use = probe.connect_ex(str(file)) == 0
        except OSError as error:
            raise ScorerError(f"cannot listen at {file}: {error}") from error
    if in_use:
        raise ScorerError(f"{file} is in use: another server listens there")


def address(host: str, port: int, scheme: str = "http") -> str:
    name = _address_on_the_network() if host in EVERY_ADDRESS else host
    return f"{scheme}://[{name}]:{port}/" if ":" in name else f"{scheme}://{name}:{port}/"


def _address_on_the_network() -> str:
    """Return our address on the route to another machine; nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return "127.0.0.1"
        name: str = probe.getsockname()[0]
        return name


def invitation(url: str) -> str:
    """Write the address, on a terminal below its QR code, which a log does not need."""
    code = io.StringIO()
    if sys.stdout.isatty():
        segno.make(url, error="l").terminal(code, compact=True)
        code.write("\n")
    text = f"{code.getvalue()}Scorer is open at {url}"
    return f"{text}\n{ONLY_HERE}" if opens_only_here(url) else text


def moved(instance: Path, url: str) -> Iterator[str]:
    """Remember the address; warn if it differs from the last one that phones could open.

    One that no phone can open replaces no other: the network may not be up yet.
    """
    before = last_address(instance)
    joined = bool(before) and not opens_only_here(before)
    if before == url or (joined and opens_only_here(url)):
        return
    with suppress(OSError), atomic_write(instance / ANNOUNCED) as draft:
        draft.write_text(f"{url}\n", encoding="utf-8")
    if joined:
        yield MOVED.format(before=before)


def last_address(instance: Path) -> str:
    """Return the address that the server printed last; an empty text if there is none."""
    with suppress(OSError, UnicodeError):
        return (instance / ANNOUNCED).read_text(encoding="utf-8").strip()
    return ""
