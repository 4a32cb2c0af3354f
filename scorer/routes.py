"""Routes: the facts of each beside its view, and its address as other phones open it.

>>> pages = Routes("example", __name__)
>>> @pages.post("/notes", least=Role.PLAYER, limit="note")
... def add() -> str:
...     return ""
>>> facts_of("example.add").role.name, facts_of("example.add").limits
('PLAYER', ('note',))
>>> facts_of("example.unknown").role.name
'OWNER'
"""

from collections.abc import Callable
from functools import cache, partial
from typing import Any, NamedTuple, TypeVar
from urllib.parse import urljoin
from uuid import UUID

from flask import Blueprint, current_app, request, url_for
from werkzeug.routing import Rule

from scorer.roles import Holder, Role
from scorer.services.album import last_page

#: The limits of a route that takes a file out of a circle: its files are made one at a time.
EXPORT = ("export", "download", "circle-download")
View = TypeVar("View", bound=Callable[..., Any])


class LateRule(Rule):
    """A URL rule that compiles the function that builds its addresses at the first use.

    To compile those of all routes takes most of the time to make an application.
    """

    def _compile_builder(
        self,
        append_unknown: bool = True,  # noqa: FBT001, FBT002  # as Werkzeug has it
    ) -> Callable[..., tuple[str, str]]:
        compiled = cache(partial(super()._compile_builder, append_unknown))

        def build(rule: Rule, **values: Any) -> tuple[str, str]:
            return compiled()(rule, **values)

        return build


class RouteFacts(NamedTuple):
    """The facts of a route.

    ``least`` is the least role; a route of a circle without one is for owners. ``limits`` are the
    limits of `scorer.limits` that it counts for. ``kept`` says whether phones store its page.
    ``logged`` is its event in the security log, ``largest`` the most bytes of its form, whatever
    the setting, and ``sandboxed`` says whether a child process reads its file, which is charged in
    advance. ``at_table`` says whether it is open to a phone that a slip lets write at its table.
    """

    least: Role | None = None
    limits: tuple[str, ...] = ()
    kept: bool = False
    logged: str = ""
    largest: int = 0
    sandboxed: bool = False
    at_table: bool = False

    @property
    def role(self) -> Role:
        """The least role that may use a route of a circle."""
        return self.least or Role.OWNER

    def admits(self, phone: Holder, session_id: UUID | None) -> bool:
        """Whether a phone may use the route, about a session if the address has one.

        Its role in the circle is enough, or a slip of that session's table.
        """
        if phone.revoked_at is None and phone.role.reaches(self.role):
            return True
        return self.at_table and phone.table is not None and session_id in {None, phone.table}


#: The facts of each route, by its endpoint.
FACTS: dict[str, RouteFacts] = {}
NO_FACTS = RouteFacts()


def facts_of(endpoint: str | None) -> RouteFacts:
    """Return the facts of a route; those of an undeclared one are the defaults."""
    return FACTS.get(endpoint or "", NO_FACTS)


class Routes(Blueprint):
    """A blueprint whose routes are declared with their facts, by default with its ``limit``.

    What a phone of a circle sends counts for the limit ``write``, if there is no other. What a
    spectator may see of a session is open to a phone at its table; with ``at_table`` all of it.
    """

    def __init__(
        self,
        name: str,
        import_name: str,
        *,
        limit: str | tuple[str, ...] = (),
        at_table: bool = False,
        **options: Any,
    ) -> None:
        super().__init__(name, import_name, **options)
        self._limit, self._at_table = limit, at_table

    def route(
        self,
        rule: str,
        *,
        least: Role | None = None,
        limit: str | tuple[str, ...] = (),
        kept: bool = False,
        logged: str = "",
        largest: int = 0,
        sandboxed: bool = False,
        at_table: bool = False,
        **options: Any,
    ) -> Callable[[View], View]:
        """Declare a route, as Flask does, with its facts; see `Facts`."""
        writes = least and options.get("methods") == ["POST"]
        kinds = limit or self._limit or ("write" if writes else ())
        limits = (kinds,) if isinstance(kinds, str) else kinds
        of_session = "<uuid:session_id>" in f"{self.url_prefix or ''}{rule}"
        at_table = at_table or self._at_table or (of_session and least is Role.SPECTATOR)

        def declare(view: View) -> View:
            endpoint = options.get("endpoint", view.__name__)
            facts = RouteFacts(least, limits, kept, logged, largest, sandboxed, at_table)
            FACTS[f"{self.name}.{endpoint}"] = facts
            return super(Routes, self).route(rule, **options)(view)

        return declare


def address() -> str:
    """Return the server's address with its path: `PUBLIC_URL`, else that of the request."""
    return current_app.config["PUBLIC_URL"] or request.url_root.rstrip("/")


def address_of(endpoint: str, **values: Any) -> str:
    """Return the address of a page, to be opened on another phone."""
    return urljoin(address(), url_for(endpoint, **values))


def public_url(page_id: UUID, language: str) -> str | None:
    """Return the address of a public page; None if the key that made it is gone."""
    for secret in last_page.secrets_of(page_id):
        if last_page.opens(secret, page_id):
            return address_of("public.evening", secret=secret, language=language)
    return None
