"""Addresses: of this server as other phones open it, and of its pages."""

import hmac
from base64 import urlsafe_b64encode
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import Any
from urllib.parse import urljoin, urlsplit
from uuid import UUID

from flask import current_app, request, url_for

from scorer.services.circle.circles import SECRET_BYTES


def address() -> str:
    """Return the server's address with its path: `PUBLIC_URL`, else that of the request."""
    return current_app.config["PUBLIC_URL"] or request.url_root.rstrip("/")


def address_of(endpoint: str, **values: Any) -> str:
    """Return the address of a page, to be opened on another phone."""
    return urljoin(address(), url_for(endpoint, **values))


def this_page() -> str:
    """Return the address of the page that is shown, with its query string."""
    return request.script_root + (request.full_path if request.query_string else request.path)


def ip_of(host: str) -> IPv4Address | IPv6Address | None:
    """Read a host as an IP address; None where it is a name."""
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


def derived_secrets(seed: str) -> list[str]:
    """Derive what an address opens by from a seed, by each key of the server, newest first."""
    keys = [current_app.config["SECRET_KEY"], *current_app.config["SECRET_KEY_FALLBACKS"]]
    digests = [hmac.digest(key.encode(), seed.encode(), "sha256") for key in keys]
    return [urlsafe_b64encode(digest[:SECRET_BYTES]).rstrip(b"=").decode() for digest in digests]


def session_url(circle_id: UUID, session_id: UUID) -> str:
    return url_for("sessions.show", circle_id=circle_id, session_id=session_id)


def last_page_url(circle_id: UUID, session_id: UUID) -> str:
    return url_for("sessions.last_page", circle_id=circle_id, session_id=session_id)


def deal_url(circle_id: UUID, session_id: UUID, number: int) -> str:
    return url_for("deals.show", circle_id=circle_id, session_id=session_id, number=number)


def rule_set_url(circle_id: UUID, rule_set_id: UUID) -> str:
    return url_for("rule_sets.show", circle_id=circle_id, rule_set_id=rule_set_id)
