"""Addresses: of this server as other phones open it, and of its pages."""

from ipaddress import ip_address
from typing import Any
from urllib.parse import urljoin, urlsplit
from uuid import UUID

from flask import current_app, request, url_for


def address() -> str:
    """Return the server's address with its path: `PUBLIC_URL`, else that of the request."""
    return current_app.config["PUBLIC_URL"] or request.url_root.rstrip("/")


def address_of(endpoint: str, **values: Any) -> str:
    """Return the address of a page, to be opened on another phone."""
    return urljoin(address(), url_for(endpoint, **values))


def this_page() -> str:
    """Return the address of the page that is shown, with its query string."""
    return request.script_root + (request.full_path if request.query_string else request.path)


def is_only_here() -> bool:
    """Whether no other machine can open the address."""
    return opens_only_here(address())


def may_change() -> bool:
    """Whether the address is an IP address, which may go to another machine."""
    host = urlsplit(address()).hostname or ""
    try:
        return not ip_address(host).is_loopback
    except ValueError:
        return False


def opens_only_here(url: str) -> bool:
    """Whether an address is that of the machine that opens it."""
    name = urlsplit(url).hostname or ""
    try:
        return ip_address(name).is_loopback
    except ValueError:
        return name == "localhost" or name.endswith(".localhost")


def session_url(circle_id: UUID, session_id: UUID) -> str:
    """Return the address of a session's page."""
    return url_for("sessions.show", circle_id=circle_id, session_id=session_id)


def last_page_url(circle_id: UUID, session_id: UUID) -> str:
    """Return the address of the last page of a session."""
    return url_for("sessions.last_page", circle_id=circle_id, session_id=session_id)


def deal_url(circle_id: UUID, session_id: UUID, number: int) -> str:
    """Return the address of a deal's page."""
    return url_for("deals.show", circle_id=circle_id, session_id=session_id, number=number)


def rule_set_url(circle_id: UUID, rule_set_id: UUID) -> str:
    """Return the address of a rule set's page."""
    return url_for("rule_sets.show", circle_id=circle_id, rule_set_id=rule_set_id)
