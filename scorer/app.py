"""The web application, put together: the only module that sees all the others."""

from __future__ import annotations

from hashlib import sha1, sha256
from typing import TYPE_CHECKING

from flask import Flask, g, request
from flask.json.provider import DefaultJSONProvider
from flask.sessions import SecureCookieSessionInterface
from flask_babel import Babel, Domain, get_locale
from flask_wtf import CSRFProtect
from jinja2 import StrictUndefined
from werkzeug.middleware.proxy_fix import ProxyFix

from scorer import (
    __version__,
    access_log,
    api,
    failures,
    languages,
    limits,
    metrics,
    security_log,
    settings,
    storage,
    web,
)
from scorer.services import streams
from scorer.texts import Text

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from babel.support import NullTranslations
    from flask.sessions import SessionMixin
    from itsdangerous import URLSafeTimedSerializer

#: By how its endpoint begins, what is answered whatever the database does.
WITHOUT_DATA = ("static", "worker", "health.live", "metrics.", "openapi.", "operations.")


def create_app(config: Mapping[str, object] | None = None) -> Flask:
    """Make an application; ``config`` goes before the environment and the instance folder."""
    given = settings.load(settings.instance_path(), config)
    instance = settings.instance_folder()
    app = Flask(
        "scorer", root_path=str(settings.root()), instance_path=str(instance), static_folder=None
    )
    app.config.from_mapping(settings.FIXED, **(config or {}))
    app.config.from_mapping({name: one.value for name, one in given.items()})
    _configure(app, instance)
    app.session_interface = Cookies()
    _trust_proxies(app, app.config["PROXY_HOPS"])
    _speak(app)
    access_log.register(app)
    limits.bound_forms(app)
    csrf = CSRFProtect(app)
    failures.register(app)
    security_log.register(app)
    limits.register(app)
    storage.init_app(app)
    metrics.register(app)
    app.url_value_preprocessor(_make_ready)
    streams.register(app)
    web.register(app)
    api.register(app, csrf)
    return app


def _configure(app: Flask, instance: Path) -> None:
    """Set what follows from the settings."""
    app.config["VERSION"] = __version__
    _take_keys(app, instance)
    app.config["SQLALCHEMY_DATABASE_URI"] = app.config["DATABASE_URL"] or settings.sqlite_url(
        instance
    )
    app.json = PlainJson(app)
    safe = not app.config["LAN_HTTP"]
    app.config["SESSION_COOKIE_SECURE"] = safe
    app.config["SESSION_COOKIE_NAME"] = "__Host-scorer" if safe else "scorer"


def _take_keys(app: Flask, instance: Path) -> None:
    """Sign by the newest key, and believe what the older ones signed: cookies and tokens."""
    key = app.config["SECRET_KEY"]
    newest, *older = [key] if key else settings.secret_keys(instance)
    older += app.config["SECRET_KEY_FALLBACKS"]
    app.config["SECRET_KEY"], app.config["SECRET_KEY_FALLBACKS"] = newest, older
    app.config["WTF_CSRF_SECRET_KEY"] = [*reversed(older), newest]  # as itsdangerous wants them


class Cookies(SecureCookieSessionInterface):
    """The session's cookie, which no answer to a form without a token replaces.

    A browser doesn't send it with a form of another site, yet keeps one that comes back: the phone
    would be in its circles no longer. Version 0.1 signed with Flask's SHA-1: what it signed is
    still read, and is signed anew on the next day that the phone is used.
    """

    digest_method = staticmethod(sha256)

    def get_signing_serializer(self, app: Flask) -> URLSafeTimedSerializer | None:
        """Give what signs and reads the cookie."""
        serializer = super().get_signing_serializer(app)
        if serializer:
            before = {**serializer.signer_kwargs, "digest_method": sha1}
            serializer.fallback_signers = [before]
        return serializer

    def should_set_cookie(self, app: Flask, session: SessionMixin) -> bool:
        """Say whether the answer carries the cookie."""
        forged = app.config["WTF_CSRF_ENABLED"] and "csrf_valid" not in g
        safe = request.method not in app.config["WTF_CSRF_METHODS"] or not forged
        return safe and super().should_set_cookie(app, session)


class PlainJson(DefaultJSONProvider):
    """JSON whose keys stay in the order they were given in: that of the seats."""

    sort_keys = False


def _trust_proxies(app: Flask, hops: int) -> None:
    if hops:
        app.wsgi_app = ProxyFix(  # type: ignore[method-assign]  # as Flask's manual does it
            app.wsgi_app, x_for=hops, x_proto=hops, x_host=hops, x_prefix=hops
        )


class Catalogues(Domain):  # type: ignore[misc]  # flask-babel has no types
    """The catalogues of ``scorer.languages``, for the pages."""

    def get_translations(self) -> NullTranslations:
        """Give the catalogue of the reader's language."""
        locale = get_locale()
        return languages.catalogue(locale.language if locale else languages.SOURCE)


def _make_ready(endpoint: str | None, _: object) -> None:
    """Bring a new database up before the first page that may need it; say what is missing."""
    if endpoint and not endpoint.startswith(WITHOUT_DATA):
        storage.make_ready()


def _speak(app: Flask) -> None:
    babel = Babel(app, default_locale=languages.SOURCE, locale_selector=_chosen_language)
    babel.domain_instance = Catalogues()
    app.jinja_env.undefined = StrictUndefined
    app.jinja_env.trim_blocks = True
    app.jinja_env.lstrip_blocks = True
    app.jinja_env.finalize = _in_words


def _chosen_language() -> str | None:
    """Give what the reader chose, else the language that the browser likes best."""
    chosen = request.cookies.get("language")
    if chosen in languages.LANGUAGES:
        return chosen
    return request.accept_languages.best_match(languages.LANGUAGES)


def _in_words(value: object) -> object:
    """Put a text into the reader's language wherever a template shows one."""
    if isinstance(value, Text):
        return languages.translate(value, get_locale().language)
    return value
