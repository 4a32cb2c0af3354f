"""Settings: each with its default, how it is read, and what it is for.

A setting is an environment variable ``SCORER_<NAME>`` or a line in ``config.py`` of the instance
folder; the environment comes first. ``SCORER_INSTANCE`` names another instance folder, and
``scorer settings`` prints all settings. All faults are reported together, and nothing starts.
"""

import json
import os
import re
import secrets
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from importlib.util import find_spec
from ipaddress import ip_address
from pathlib import Path
from types import ModuleType
from typing import Any
from urllib.parse import urlsplit

from scorer.errors import ScorerError
from scorer.texts import MOUNT, nearest

PREFIX = "SCORER_"
CONFIG = "config.py"
KEYS = "secret.key"
PACKAGE = Path(__file__).parent
CHECKOUT = PACKAGE.parent
STDERR = "-"
#: Variables with our prefix that are no settings: the folder, and those of the tests.
BESIDES = frozenset({"INSTANCE", "TEST_PG", "BROWSER"})
TRUTH = dict.fromkeys(("true", "yes", "on", "1"), True)
TRUTH |= dict.fromkeys(("false", "no", "off", "0"), False)
#: A host name or an IPv4 address; with a leading dot, all names under it.
HOST = re.compile(r"\.?[\w-]+(\.[\w-]+)*", re.ASCII)
#: Where the value of a setting comes from that nobody set.
DEFAULT = "default"
#: The levels of the messages on standard error.
LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR")
#: The drivers of the databases that may keep the data.
DRIVERS = {"sqlite", "sqlite+pysqlite", "postgres", "postgresql", "postgresql+psycopg"}
#: Requests a minute, by what they are for.
MOST_REQUESTS = {"join": 240, "start": 60, "hold": 60, "dispute": 60, "note": 60}
MOST_REQUESTS |= {"demo": 3, "money": 60, "nickname": 60, "import": 60, "export": 60}
#: Writes a minute by a phone, counted in memory, of routes that have no other limit.
MOST_WRITES = {"write": 240}
#: Seconds of CPU a minute, by what they are spent on.
MOST_SECONDS = {"api": 40, "file": 20, "what-if": 20, "preview": 20, "picture": 20}
MOST_SECONDS |= {"download": 20, "circle-download": 40}
#: Wrong secrets a minute; after that none of the address is looked up, also a right one.
MOST_FAILURES = {"secret": 20}


class SettingsError(ScorerError):
    """Wrong settings; each fault is a sentence on a line."""


@dataclass(frozen=True, slots=True)
class SettingKind:
    """A setting: its meaning, its default, how it is read; ``read`` raises ScorerError."""

    read: Callable[[object], object]
    means: str
    default: object = None
    secret: bool = False


@dataclass(frozen=True, slots=True)
class SettingValue:
    """The value of a setting, and where it comes from."""

    value: Any
    source: str


def flag(value: object) -> bool:
    """Read true or false, in upper or lower case."""
    known = TRUTH.get(str(value).strip().casefold())
    if known is None:
        raise ScorerError(f"must be true or false, not {value!r}")
    return known


def whole(value: object, *, low: int, high: int = 2**31 - 1) -> int:
    text = str(value).strip()
    number = int(text) if re.fullmatch(r"-?[0-9]{1,18}", text) else None
    if number is None or not low <= number <= high:
        raise ScorerError(f"must be a whole number from {low} to {high}, not {value!r}")
    return number


def bound(value: object) -> int | None:
    """Read the most of something; an empty text, or none, sets no limit."""
    return None if value in {None, ""} else whole(value, low=0)


def level(value: object) -> str:
    name = str(value).strip().upper()
    if name not in LEVELS:
        raise ScorerError(f"must be one of {', '.join(LEVELS).lower()}, not {value!r}")
    return name


def plain(value: object) -> str | None:
    """Read a text; an empty one is None."""
    if isinstance(value, (list, tuple, dict, bool)):
        raise ScorerError(f"must be a text, not {value!r}")
    return str(value).strip() or None if value is not None else None


def token(value: object) -> str | None:
    text = plain(value)
    if text and not re.fullmatch(r"[\w.~+/=-]{16,}", text, re.ASCII):
        raise ScorerError(
            "must have at least 16 characters, each a letter, a digit or one of -._~+/="
        )
    return text


def listed(value: object) -> list[str]:
    """Read several texts: a list, or a text with commas.

    >>> listed("a.example, b.example")
    ['a.example', 'b.example']
    """
    parts = value if isinstance(value, (list, tuple)) else str(value or "").split(",")
    return [text for part in parts if (text := str(part).strip())]


def hosts(value: object) -> list[str]:
    names = [name.lower() for name in listed(value)]
    for name in names:
        if not HOST.fullmatch(name) and not _is_address(name):
            raise ScorerError(
                "must list names such as scorer.example, or .home.example for all names below it, "
                f"not {name}"
            )
    return names


def _is_address(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True


def public_url(value: object) -> str | None:
    """Read the address that phones open, with its path if it has one and no slash at the end."""
    if not value:
        return None
    refused = ScorerError(
        f"must be https://NAME, https://NAME/PATH or http://NAME:PORT, not {value!r}"
    )
    try:
        parts = urlsplit(str(value))
        sound = parts.hostname and (parts.port is None or parts.port > 0)
    except ValueError as error:
        raise refused from error
    path = parts.path.rstrip("/")
    more = parts.query or parts.fragment or "@" in parts.netloc or not MOUNT.fullmatch(path)
    if parts.scheme not in {"http", "https"} or more or not sound or not str(value).isprintable():
        raise refused
    return f"{parts.scheme}://{parts.netloc.lower()}{path}"


def database(value: object) -> object:
    """Read the URL of a database; no message repeats its password."""
    if not value:
        return None
    from sqlalchemy.exc import ArgumentError

    from scorer.storage.engine import database_url

    try:
        url = database_url(value)  # type: ignore[arg-type]  # what is no text is refused there
    except (ArgumentError, AttributeError, ValueError) as error:
        raise ScorerError(
            "must be the URL of a database: postgresql://NAME:PASSWORD@HOST/DATABASE or "
            "sqlite:////FOLDER/FILE"
        ) from error
    if url.drivername not in DRIVERS:
        raise ScorerError(
            f"must name SQLite (sqlite:////FOLDER/FILE) or PostgreSQL (postgresql://…), "
            f"not {url.drivername}"
        )
    if url.get_backend_name() == "postgresql" and find_spec("psycopg") is None:
        raise ScorerError("needs psycopg: pip install 'briscola-scorer[postgres]'")
    return value


def log_file(value: object) -> str | None:
    """Read where a log goes: standard error, nowhere, or a file in an existing folder."""
    where = plain(value)
    if where and where != STDERR:
        if not Path(where).absolute().parent.is_dir():
            raise ScorerError(f"names {where}, but its folder does not exist")
        if Path(where).is_dir():
            raise ScorerError(f"names {where}, which is a folder, not a file")
    return where


def limits(value: object) -> dict[str, float]:
    """Read the overrides of the request limits."""
    known = MOST_REQUESTS | MOST_WRITES | MOST_SECONDS | MOST_FAILURES
    if not isinstance(value, dict):
        raise ScorerError(f'must be JSON such as {{"api": 100}}, not {value!r}')
    for name, most in value.items():
        if name not in known:
            raise ScorerError(
                f"has an unknown limit {name}; the limits are {', '.join(sorted(known))}"
            )
        if isinstance(most, bool) or not isinstance(most, (int, float)) or not most >= 0:
            raise ScorerError(f"has a wrong limit {name}: it must be a number from 0, not {most!r}")
    return value


SETTINGS = {
    "DATABASE_URL": SettingKind(
        database,
        "the database, sqlite:////FOLDER/FILE or postgresql://…; "
        "default: the file scorer.sqlite in the instance folder",
    ),
    "SECRET_KEY": SettingKind(
        plain,
        "the key that signs cookies; default: the keys in secret.key of the instance folder, one a "
        "line, the newest first (scorer key rotate adds one)",
        secret=True,
    ),
    "SECRET_KEY_FALLBACKS": SettingKind(
        listed,
        "older keys, separated by commas, whose cookies stay valid",
        secret=True,
    ),
    "LAN_HTTP": SettingKind(
        flag,
        "true for a home network without HTTPS: cookies are not Secure, no HSTS; the pages say so; "
        "default: true for scorer serve without --https, certificate and https PUBLIC_URL",
        default=False,
    ),
    "HSTS_SUBDOMAINS": SettingKind(
        flag,
        "true lets browsers use only HTTPS at the names below that of the server, too",
        default=False,
    ),
    "CERTIFICATE": SettingKind(
        plain,
        "the file of a certificate and its intermediate certificates, PEM; scorer serve then "
        "speaks HTTPS itself, and LAN_HTTP is off",
    ),
    "CERTIFICATE_KEY": SettingKind(
        plain, "the file of the certificate's key, PEM, without a password"
    ),
    "PROXY_HOPS": SettingKind(
        partial(whole, low=0, high=16),
        "the number of reverse proxies in front of the app; "
        "that many X-Forwarded-* entries are trusted",
        default=0,
    ),
    "PUBLIC_URL": SettingKind(
        public_url,
        "the address that phones open, https://scorer.example, used in links and QR codes; with a "
        "path, https://example.org/cards, the pages are served below it; "
        "default: the address of the request",
    ),
    "TRUSTED_HOSTS": SettingKind(
        hosts,
        "the names at which the server answers, scorer.example, .home.example; default: any name "
        "behind HTTPS, otherwise IP addresses and names of a home network",
    ),
    "SECURITY_LOG": SettingKind(
        log_file,
        "the file of the security log; - is standard error, empty is none",
        default=STDERR,
    ),
    "ACCESS_LOG": SettingKind(
        log_file,
        "the file of the access log, a line of JSON per request; - is standard error",
    ),
    "LOG_LEVEL": SettingKind(
        level,
        "the least level of messages on standard error: debug, info, warning or error",
        default="warning",
    ),
    "METRICS": SettingKind(
        flag,
        "true opens /metrics to Prometheus, from this machine or with METRICS_TOKEN",
        default=False,
    ),
    "METRICS_TOKEN": SettingKind(
        token,
        "the token with which other machines open /metrics, as Authorization: Bearer …",
        secret=True,
    ),
    "MAX_CONTENT_LENGTH": SettingKind(
        partial(whole, low=1024),
        "the largest request in bytes (operations accept at most 1 MiB; a photo may always have "
        "2 MB)",
        default=1024 * 1024,
    ),
    "PHOTOS_A_CIRCLE": SettingKind(
        partial(whole, low=0),
        "the most photos of a circle, of at most 512 kB each; 0 allows none",
        default=300,
    ),
    "DEALS_A_CIRCLE": SettingKind(bound, "the most deals of a circle; default: no limit"),
    "PHONES_A_CIRCLE": SettingKind(bound, "the most phones of a circle; default: no limit"),
    "PROGRAMS_A_CIRCLE": SettingKind(
        bound, "the most keys of programs of a circle that work", default=20
    ),
    "PUBLIC_START": SettingKind(
        flag,
        "true lets visitors create circles; otherwise scorer circle NAME creates them",
        default=True,
    ),
    "LIMITS": SettingKind(
        limits,
        'overrides of the request limits, {"api": 100} seconds of CPU a minute',
        default={},
    ),
    "STREAMS_A_PHONE": SettingKind(
        partial(whole, low=1),
        "the most streams of events that a phone, or a link's secret, holds open in a worker",
        default=8,
    ),
    "STREAMS_A_CIRCLE": SettingKind(
        bound, "the most streams that a circle holds open in a worker; default: no limit"
    ),
    "STREAMS_A_WORKER": SettingKind(
        partial(whole, low=1),
        "the most streams that a worker holds open, of its 1,000 connections",
        default=800,
    ),
}
#: Flask's settings that are the same everywhere. Browsers keep cookies for at most 400 days. The
#: cookie is sent only when it changes and once a day, so that a late answer brings back no old one.
#: A form's token is valid as long as its cookie, as an offline queue outlasts the default hour;
#: `scorer.app` checks it.
FIXED: dict[str, object] = {
    "PERMANENT_SESSION_LIFETIME": timedelta(days=400),
    "SESSION_REFRESH_EACH_REQUEST": False,
    "SESSION_COOKIE_HTTPONLY": True,
    "SESSION_COOKIE_SAMESITE": "Lax",
    "WTF_CSRF_TIME_LIMIT": None,
    "WTF_CSRF_CHECK_DEFAULT": False,
    "DEMO": False,
    "AT_HOME": False,
}
#: The setting of `scorer serve` without --https, below what anybody sets: phones come by HTTP.
AT_HOME: dict[str, object] = {"AT_HOME": True}
#: The settings of `scorer serve --demo`, above all others, which no environment can set.
DEMO: dict[str, object] = {
    "DEMO": True,
    "DATABASE_URL": None,
    "SECRET_KEY": None,
    "PUBLIC_START": False,
    "PHOTOS_A_CIRCLE": 0,
    "DEALS_A_CIRCLE": 200,
    "PHONES_A_CIRCLE": 10,
    "PROGRAMS_A_CIRCLE": 2,
    "STREAMS_A_CIRCLE": 20,
}


def load(instance: Path, config: Mapping[str, object] | None = None) -> dict[str, SettingValue]:
    """Read every setting from ``config``, or else the environment, or else the instance folder.

    Raise SettingsError with all faults, also those of a value that ``config`` overrides. Nothing is
    written.
    """
    faults: list[str] = []
    usual = {name: SettingValue(kind.default, DEFAULT) for name, kind in SETTINGS.items()}
    given = usual | _from_file(instance / CONFIG, faults) | _from_environment(faults)
    read = {name: _read(name, given[name], faults) for name in SETTINGS}
    for name in SETTINGS.keys() & (config or {}).keys():
        read[name] = _read(name, SettingValue((config or {})[name], "the program"), faults)
    certificate = read["CERTIFICATE"]
    if bool(certificate.value) != bool(read["CERTIFICATE_KEY"].value):
        faults.append("a certificate needs its key: --certificate FILE --key FILE")
    if faults:
        raise SettingsError("\n".join(faults))
    return read | {"LAN_HTTP": _lan_http(read, at_home=bool((config or {}).get("AT_HOME")))}


def _lan_http(read: Mapping[str, SettingValue], *, at_home: bool) -> SettingValue:
    """Say whether phones come by plain HTTP: what somebody set, or what follows from the rest."""
    if read["CERTIFICATE"].value:
        return SettingValue(False, "CERTIFICATE")
    if read["LAN_HTTP"].source != DEFAULT:
        return read["LAN_HTTP"]
    if str(read["PUBLIC_URL"].value).startswith("https:"):
        return SettingValue(False, "PUBLIC_URL")
    return SettingValue(True, "scorer serve without --https") if at_home else read["LAN_HTTP"]


def _read(name: str, given: SettingValue, faults: list[str]) -> SettingValue:
    try:
        return SettingValue(SETTINGS[name].read(given.value), given.source)
    except ScorerError as error:
        faults.append(f"{PREFIX}{name} {error}.")
        return given


def _from_environment(faults: list[str]) -> dict[str, SettingValue]:
    values = {}
    for variable, text in os.environ.items():
        name = variable.removeprefix(PREFIX)
        if variable.startswith(PREFIX) and name not in BESIDES:
            # A list or a table is read as JSON, everything else stays a text.
            value = text
            with suppress(ValueError):
                value = json.loads(text)
            plain = isinstance(value, (bool, int, float))
            values[name] = SettingValue(text if plain else value, "the environment")
    faults += _strays(values, SETTINGS.keys() | BESIDES, "")
    return values


def _from_file(path: Path, faults: list[str]) -> dict[str, SettingValue]:
    """Run ``config.py``, if there is one, and return its settings."""
    if not path.is_file():
        return {}
    module = ModuleType("config")
    module.__file__ = str(path)
    try:
        exec(compile(path.read_bytes(), path, "exec"), module.__dict__)  # noqa: S102  # as Flask
    except Exception as error:  # noqa: BLE001  # whatever the operator wrote there
        faults.append(f"cannot run {path}: {type(error).__name__}: {error}.")
    values = {name: SettingValue(v, CONFIG) for name, v in vars(module).items() if name.isupper()}
    faults += _strays(values, SETTINGS, f" in {path}")
    return values


def _strays(values: Mapping[str, SettingValue], known: Any, where: str) -> Iterator[str]:
    """Report unknown settings, each with the most similar one."""
    for name in sorted(values.keys() - set(known)):
        meant = nearest(name, known)
        hint = f"did you mean {PREFIX}{meant}?" if meant else "scorer settings lists them."
        yield f"unknown setting {PREFIX}{name}{where}: {hint}"


def shown(name: str, given: SettingValue) -> str:
    """Write a value for the operator, without secrets."""
    if not given.value and given.value is not False and given.value != 0:
        return "none"
    if SETTINGS[name].secret:
        return "(secret)"
    if name == "DATABASE_URL":
        from scorer.storage.engine import database_url

        return database_url(given.value).render_as_string(hide_password=True)
    if isinstance(given.value, bool):
        return str(given.value).lower()
    if isinstance(given.value, list):
        return ", ".join(given.value)
    return json.dumps(given.value) if isinstance(given.value, dict) else str(given.value)


def root() -> Path:
    """Return the folder of templates, static and migrations: the checkout, or the package."""
    return CHECKOUT if (CHECKOUT / "pyproject.toml").is_file() else PACKAGE


def instance_path() -> Path:
    """Return the path of the data's folder: in the checkout, or the user's own."""
    if named := os.environ.get("SCORER_INSTANCE"):
        return Path(named).absolute()
    if root() == CHECKOUT:
        return CHECKOUT / "instance"
    from platformdirs import user_data_path

    return user_data_path("scorer", appauthor=False)


def instance_folder() -> Path:
    folder = instance_path()
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return folder


def sqlite_url(instance: Path) -> str:
    return f"sqlite:///{instance / 'scorer.sqlite'}"


def secret_keys(instance: Path) -> list[str]:
    """Return the keys that sign the cookies, newest first; make one if there is none."""
    kept = instance / KEYS
    if not kept.exists():  # a link to a draft: two processes that start at once keep one key
        with tempfile.NamedTemporaryFile("w", dir=instance, encoding="ascii") as draft:
            draft.write(new_secret())
            draft.flush()
            with suppress(FileExistsError):
                kept.hardlink_to(draft.name)
    keys = kept.read_text(encoding="ascii").split()
    if not keys:
        raise ScorerError(f"{kept} contains no key")
    return keys


def new_secret() -> str:
    return secrets.token_hex(32)
