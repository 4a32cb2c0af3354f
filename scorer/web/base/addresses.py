"""Addresses of pages, and what the address of this server says of it."""

from ipaddress import IPv4Address, IPv6Address, ip_address
from urllib.parse import urlsplit
from uuid import UUID

from flask import request, url_for

from scorer.addresses import address


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


def session_url(circle_id: UUID, session_id: UUID) -> str:
    return url_for("sessions.show", circle_id=circle_id, session_id=session_id)


def last_page_url(circle_id: UUID, session_id: UUID) -> str:
    return url_for("sessions.last_page", circle_id=circle_id, session_id=session_id)


def deal_url(circle_id: UUID, session_id: UUID, number: int) -> str:
    return url_for("deals.show", circle_id=circle_id, session_id=session_id, number=number)


def rule_set_url(circle_id: UUID, rule_set_id: UUID) -> str:
    return url_for("rule_sets.show", circle_id=circle_id, rule_set_id=rule_set_id)
