"""The addresses of the page and of this server, and the refusal of requests by their address.

Host: a page of a stranger's site may give its own name the address of this machine (DNS rebinding).
Origin: a page of another site may send a form here. Its form has no token; this is a second check.
"""

import socket
from http import HTTPStatus
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import Any
from urllib.parse import urlsplit

from flask import Flask, abort, current_app, request

from scorer.errors import ForeignHostError, ForeignSiteError
from scorer.routes import address
from scorer.texts import MOUNT, say


def this_page() -> str:
    return request.script_root + (request.full_path if request.query_string else request.path)


def ip_of(host: str) -> IPv4Address | IPv6Address | None:
    """Read a host as an IP address; None if it is a name."""
    try:
        return ip_address(host)
    except ValueError:
        return None


def may_change() -> bool:
    """Whether the address is an IP address, which may go to another machine."""
    ip = ip_of(urlsplit(address()).hostname or "")
    return ip is not None and not ip.is_loopback


def opens_only_here(url: str) -> bool:
    name = urlsplit(url).hostname or ""
    ip = ip_of(name)
    return ip.is_loopback if ip else f".{name}".endswith(".localhost")


SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
#: Names that networks at home give out and the public DNS doesn't (RFC 6762, RFC 8375, ICANN).
AT_HOME = (".local", ".localhost", ".home.arpa", ".internal", ".lan", ".home")
#: What a browser says of a request that no other site made.
OWN = frozenset({"same-origin", "none"})


def register(app: Flask) -> None:
    """Check every request, before the guard of the circles."""
    # Flask itself would refuse a host before it could build the page that says so.
    app.config["HOSTS"], app.config["TRUSTED_HOSTS"] = app.config["TRUSTED_HOSTS"], None
    app.url_value_preprocessor(_look)


def _look(_endpoint: str | None, _values: dict[str, Any] | None) -> None:
    if not MOUNT.fullmatch(request.script_root):
        abort(HTTPStatus.BAD_REQUEST)
    if not _trusted(_name(request.host)):
        raise ForeignHostError(
            say(
                "This server does not answer to the name in the address. "
                "Whoever runs it can allow the name (SCORER_TRUSTED_HOSTS)."
            ),
            say("Another name"),
        )
    if request.method not in SAFE and _of_another_site():
        raise ForeignSiteError(
            say("This was sent by a page of another site, so nothing was done."),
            say("From another site"),
        )


def _name(host: str) -> str:
    """Return a host without its port, or nothing if it cannot be one."""
    try:
        return (urlsplit(f"//{host}").hostname or "").rstrip(".")
    except ValueError:
        return ""


def _trusted(name: str) -> bool:
    """Whether the server answers to this name: its public, a listed, or at home any local one."""
    public: str | None = current_app.config["PUBLIC_URL"]
    if public and name == urlsplit(public).hostname:
        return True
    listed: list[str] | None = current_app.config["HOSTS"]
    if listed:
        below = tuple(host for host in listed if host[0] == ".")
        return name in listed or f".{name}".endswith(below)
    # No stranger can own an address, or a name that no public DNS answers for.
    at_home = "." not in name or name.endswith(AT_HOME) or name == socket.gethostname().lower()
    of_a_home = ip_of(name) is not None or (bool(name) and at_home)
    return of_a_home or not current_app.config["LAN_HTTP"]


def _of_another_site() -> bool:
    """Whether a browser reports that a page of another site made the request; programs don't.

    A proxy that the settings don't name may speak HTTPS, so the https address counts as own, too.
    """
    origin = request.headers.get("Origin")
    if origin is None:
        return request.headers.get("Sec-Fetch-Site", "none") not in OWN
    return origin not in {f"{scheme}://{request.host}" for scheme in ("https", request.scheme)}
