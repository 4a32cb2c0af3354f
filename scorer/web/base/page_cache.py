"""Pages that are rendered once for all phones that see the same.

Tokens and keys of forms differ in every answer: the cached page has placeholders for them.
"""

import secrets
from collections.abc import Callable, Hashable, Mapping
from typing import Any
from uuid import uuid4

from flask import g, request
from flask import session as cookie
from flask_wtf.csrf import generate_csrf
from markupsafe import Markup

from scorer.services.base.caching import LRUCache
from scorer.web.base.access import currency, current_holder, new_claims, unseen_in
from scorer.web.base.choices import add_to_templates

Render = Callable[[Mapping[str, Any]], str]

#: Pages that a process caches; one has some 40 kB.
MOST = 64
#: The placeholders are random in each process, so nobody can type them.
_TOKEN, _PRESENCE, _KEY = secrets.token_hex(16), secrets.token_hex(16), str(uuid4())
_MARKS = {"new_key": _KEY, "presence": _PRESENCE}
NOBODY = Markup()
_pages: LRUCache[str] = LRUCache(MOST)
#: Parts are small, and there is one for each phone that is here.
_parts: LRUCache[str] = LRUCache(4 * MOST)


def cached_page(of: Hashable, render: Render, presence: Markup = NOBODY) -> str:
    """Return a page, rendered once for each value of ``of`` and of what all pages depend on.

    ``render`` takes ``csrf_token``, ``new_key`` and ``presence``, which is who is here just now. A
    page with flashed messages is not cached.
    """
    if "_flashes" in cookie:
        return personal_page(render, presence)
    choices = tuple(str(value) for value in add_to_templates().values())
    seen_by = current_holder().role, unseen_in() is None, currency(), tuple(new_claims())
    key = of, request.script_root, request.full_path, choices, seen_by
    page = _pages.get(key, lambda: _render_for_all(render)).replace(_PRESENCE, presence)
    return page.replace(_TOKEN, generate_csrf()).replace(_KEY, str(uuid4()))


def cached_part(of: Hashable, render: Render) -> Markup:
    """Return a cached part of such pages; the page replaces its placeholders."""
    choices = tuple(str(value) for value in add_to_templates().values())
    key = of, request.script_root, choices, current_holder().role
    return Markup(_parts.get(key, lambda: _render_for_all(render)))  # noqa: S704  # a template made it


def personal_page(render: Render, presence: Markup = NOBODY) -> str:
    page = render({"new_key": str(uuid4()), "presence": presence})
    return page.replace(_TOKEN, generate_csrf())


def _render_for_all(render: Render) -> str:
    """Render with placeholders; ``ui.csrf`` finds that of the token in `g`."""
    outer, g.token_placeholder = g.get("token_placeholder"), _TOKEN
    try:
        return render(_MARKS)
    finally:
        g.token_placeholder = outer
