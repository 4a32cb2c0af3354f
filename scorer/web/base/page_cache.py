"""Pages that are rendered once for all phones to which they look the same.

Tokens and keys of forms differ in every answer: the cached page has placeholders for them.
"""

import secrets
from collections.abc import Callable, Hashable, Mapping
from typing import Any
from uuid import uuid4

from flask import g, request
from flask import session as cookie
from flask_wtf.csrf import generate_csrf
from jinja2 import nodes
from jinja2.ext import Extension
from jinja2.parser import Parser
from jinja2.runtime import Context
from markupsafe import Markup

from scorer.services.base.caching import LRUCache
from scorer.web.base.access import currency, current_holder, unseen_in
from scorer.web.base.choices import add_to_templates

Render = Callable[[Mapping[str, Any]], str]

#: Pages that a process caches, of some 40 kB each, and the length of all its parts of pages.
MOST, MOST_OF_PARTS = 64, 1_500_000
#: The placeholders are random in each process, so nobody can type them.
_TOKEN, _PRESENCE, _KEY = secrets.token_hex(16), secrets.token_hex(16), str(uuid4())
_MARKS = {"new_key": _KEY, "presence": _PRESENCE}
NO_PRESENCE = Markup()
_pages: LRUCache[bytes] = LRUCache(MOST)
_parts: LRUCache[str] = LRUCache(MOST_OF_PARTS, len)


def cached_page(of: Hashable, render: Render, presence: Markup = NO_PRESENCE) -> bytes:
    """Return a page, rendered once for each value of ``of`` and of all that every page depends on.

    ``render`` takes ``new_key``, ``presence`` (who is here now), and ``seen_by`` for its cached
    blocks. A page with flashed messages is not cached.
    """
    if "_flashes" in cookie:
        return personal_page(render, presence)
    seen_by = _seen_by()
    key = of, request.full_path, seen_by, unseen_in() is None
    return _filled(_pages.get(key, lambda: _rendered(render, seen_by).encode()), presence)


def personal_page(render: Render, presence: Markup = NO_PRESENCE) -> bytes:
    return _filled(_rendered(render, _seen_by()).encode(), presence)


def cached_part(of: Hashable, render: Render) -> Markup:
    """Return a cached part of such pages; the page replaces its placeholders."""
    seen_by = _seen_by()
    return Markup(_parts.get((of, seen_by), lambda: _rendered(render, seen_by)))  # noqa: S704  # a template made it


class CachedBlock(Extension):
    """The block ``{% cached key, … %}``, rendered once for these keys and those of all parts.

    It is cached within the pages of this module only, which have placeholders.
    """

    tags = {"cached"}  # noqa: RUF012  # as Jinja's own extensions have it

    def parse(self, parser: Parser) -> nodes.Node:
        """Make the block a call of `cached`, with its place in the template and its keys."""
        line = next(parser.stream).lineno
        keys = parser.parse_tuple(with_condexpr=True)
        body = parser.parse_statements(("name:endcached",), drop_needle=True)
        place = [nodes.ContextReference(), nodes.Const((parser.name, line)), keys]
        return nodes.CallBlock(self.call_method("cached", place), [], [], body).set_lineno(line)

    def cached(
        self, context: Context, place: Hashable, keys: Hashable, caller: Callable[[], str]
    ) -> str:
        seen_by = context.get("seen_by")
        return _parts.get((place, keys, seen_by), caller) if seen_by else caller()


def _seen_by() -> Hashable:
    """Return the values that every part of a page depends on."""
    choices = tuple(str(value) for value in add_to_templates().values())
    return request.script_root, request.path, choices, current_holder().role, currency()


def _rendered(render: Render, seen_by: Hashable) -> str:
    """Render with placeholders; ``ui.csrf`` finds the token's placeholder in `g`."""
    outer, g.token_placeholder = g.get("token_placeholder"), _TOKEN
    try:
        return render({**_MARKS, "seen_by": seen_by})
    finally:
        g.token_placeholder = outer


def _filled(page: bytes, presence: Markup) -> bytes:
    for mark, value in ((_PRESENCE, presence), (_TOKEN, generate_csrf()), (_KEY, str(uuid4()))):
        page = page.replace(mark.encode(), value.encode())
    return page
