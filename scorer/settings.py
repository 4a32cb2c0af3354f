"""Settings, a line each.

A setting is changed by an environment variable ``SCORER_<NAME>`` or by a line in ``config.py`` of
the instance folder, the environment first. ``SCORER_INSTANCE`` names another instance folder.
"""

import os
import secrets
import tempfile
from datetime import timedelta
from pathlib import Path
from urllib.parse import urlsplit

from scorer.errors import ScorerError

#: An SQLAlchemy URL; None is the file scorer.sqlite in the instance folder.
DATABASE_URL: str | None = None
#: What signs the cookies; None is what secret.key in the instance folder holds, a key a line, the
#: newest first. `scorer key rotate` puts a new one before the others.
SECRET_KEY: str | None = None
#: Keys that signed cookies before, separated by commas: those cookies are still read.
SECRET_KEY_FALLBACKS: str | list[str] | None = None
#: The home network without HTTPS: no Secure cookies and no HSTS; the pages say so.
LAN_HTTP = False
#: The files of a certificate, with those between it and its authority, and of its key, both PEM:
#: `scorer serve` then speaks HTTPS itself, and LAN_HTTP is off.
CERTIFICATE: str | None = None
CERTIFICATE_KEY: str | None = None
#: How many reverse proxies stand before the app; that many X-Forwarded-* entries are believed.
PROXY_HOPS = 0
#: The address at which phones open the server, https://scorer.example, where it can't know it; it
#: stands in links and QR codes. None is the address at which a page is asked for.
PUBLIC_URL: str | None = None
#: The names that the server goes by, `scorer.example, .home.example`; None is any behind HTTPS, and
#: without it addresses and the names that only a home's network gives out.
TRUSTED_HOSTS: str | list[str] | None = None
#: Where the security log goes: - is standard error, None nowhere, else a file.
SECURITY_LOG: str | None = "-"
#: A larger request is refused (contract.md: the operations accept at most 1 MiB).
MAX_CONTENT_LENGTH = 1024 * 1024
#: Whether anybody may begin a circle; if not, `scorer circle NAME` does, and links let phones in.
PUBLIC_START = True
#: What goes before the limits of scorer/limits.py, e.g. {"api": 100} seconds of CPU a minute.
LIMITS: dict[str, float] = {}
#: How many streams of events a phone, or a link's secret, may hold open in a worker, and how many
#: a worker holds open altogether, of the 1,000 connections that it has.
STREAMS_A_PHONE = 8
STREAMS_A_WORKER = 800
#: Browsers keep no cookie for longer than 400 days.
PERMANENT_SESSION_LIFETIME = timedelta(days=400)
#: Sent when it changes and once a day: an answer that is late can bring back no old one.
SESSION_REFRESH_EACH_REQUEST = False
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
#: A token holds as long as its cookie: an evening, or a queue kept offline, outlasts an hour.
WTF_CSRF_TIME_LIMIT = None

KEYS = "secret.key"
PACKAGE = Path(__file__).parent
CHECKOUT = PACKAGE.parent


def root() -> Path:
    """Give the folder that holds templates, static and migrations: the checkout, or the package."""
    return CHECKOUT if (CHECKOUT / "pyproject.toml").is_file() else PACKAGE


def instance_folder() -> Path:
    """Give the folder of the data, made if missing: beside the package, or the user's own."""
    named = os.environ.get("SCORER_INSTANCE")
    folder = Path(named).absolute() if named else _usual_instance_folder()
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return folder


def _usual_instance_folder() -> Path:
    if root() == CHECKOUT:
        return CHECKOUT / "instance"
    from platformdirs import user_data_path

    return user_data_path("scorer", appauthor=False)


def listed(value: object) -> list[str]:
    """Give the parts of a setting that has several: a list, or a text with commas."""
    parts = value if isinstance(value, (list, tuple)) else str(value or "").split(",")
    return [text for part in parts if (text := str(part).strip())]


def public_url(value: str | None) -> str | None:
    """Read the address that phones open, without its last slash; raise ScorerError."""
    if not value:
        return None
    refused = ScorerError(f"SCORER_PUBLIC_URL is https://NAME or http://NAME:PORT, not {value!r}")
    try:
        parts = urlsplit(value)
        sound = parts.hostname and (parts.port is None or parts.port > 0)
    except ValueError as error:
        raise refused from error
    more = parts.path.strip("/") or parts.query or parts.fragment or "@" in parts.netloc
    if parts.scheme not in {"http", "https"} or more or not sound or not value.isprintable():
        raise refused
    return f"{parts.scheme}://{parts.netloc.lower()}"


def sqlite_url(instance: Path) -> str:
    """Give the URL of the file that is used when no database is named."""
    return f"sqlite:///{instance / 'scorer.sqlite'}"


def secret_keys(instance: Path) -> list[str]:
    """Give the keys that sign the cookies, newest first; the first call makes one.

    The file is for its owner's eyes only.
    """
    kept = instance / KEYS
    if not kept.exists():
        _make_secret(kept)
    keys = kept.read_text(encoding="ascii").split()
    if not keys:
        raise ScorerError(f"{kept} holds no key")
    return keys


def new_secret() -> str:
    """Give a key that nobody can guess."""
    return secrets.token_hex(32)


def _make_secret(kept: Path) -> None:
    """Write the key under another name first: two processes that start at once keep one key."""
    with tempfile.NamedTemporaryFile("w", dir=kept.parent, encoding="ascii") as draft:
        draft.write(new_secret())
        draft.flush()
        try:
            kept.hardlink_to(draft.name)
        except FileExistsError:
            return
