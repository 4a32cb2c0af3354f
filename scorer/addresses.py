"""Addresses of this server as other phones open it, and the secrets that are derived for them.

The secret of a public page is derived from the page's key and the server's, so that its address can
be shown again to those who may publish.
"""

import hmac
from base64 import urlsafe_b64encode
from typing import Any
from urllib.parse import urljoin
from uuid import UUID

from flask import current_app, request, url_for

from scorer.services.album import last_page
from scorer.services.circle.circles import SECRET_BYTES


def address() -> str:
    """Return the server's address with its path: `PUBLIC_URL`, else that of the request."""
    return current_app.config["PUBLIC_URL"] or request.url_root.rstrip("/")


def address_of(endpoint: str, **values: Any) -> str:
    """Return the address of a page, to be opened on another phone."""
    return urljoin(address(), url_for(endpoint, **values))


def derived_secrets(seed: str) -> list[str]:
    """Derive what an address opens by from a seed, by each key of the server, newest first."""
    keys = [current_app.config["SECRET_KEY"], *current_app.config["SECRET_KEY_FALLBACKS"]]
    digests = [hmac.digest(key.encode(), seed.encode(), "sha256") for key in keys]
    return [urlsafe_b64encode(digest[:SECRET_BYTES]).rstrip(b"=").decode() for digest in digests]


def secrets_of(page_id: UUID) -> list[str]:
    """Return the secrets of a page, one by each key of the server, newest first."""
    return derived_secrets(f"public page {page_id.hex}")


def public_url(page_id: UUID, language: str) -> str | None:
    """Return the address of a public page; None where the key that made it is gone."""
    for secret in secrets_of(page_id):
        if last_page.opens(secret, page_id):
            return address_of("public.evening", secret=secret, language=language)
    return None
