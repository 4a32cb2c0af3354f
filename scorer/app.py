"""The application factory: the only module that sees all the others."""

from collections.abc import Iterable, Mapping
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from urllib.parse import urlsplit
from wsgiref.types import StartResponse, WSGIEnvironment

from babel.support import NullTranslations
from flask import Flask, Request, Response, g, request
from flask import session as cookie
from flask.sessions import SecureCookieSession, SecureCookieSessionInterface, SessionMixin
from flask_babel import Babel, Domain, get_locale
from flask_wtf import CSRFProtect
from itsdangerous import BadSignature
from jinja2 import StrictUndefined
from werkzeug.middleware.proxy_fix import ProxyFix

from scorer import (
    __version__,
    api,
    failures,
    languages,
    limits,
    logs,
    metrics,
    settings,
    storage,
    web,
)
from scorer.routes import LateRule
from scorer.services.live import streams
from scorer.web.base.filters import in_words

#: The name of the cookie over plain HTTP; over HTTPS it has a prefix.
COOKIE = "scorer"
#: The beginnings of endpoints that need no database.
WITHOUT_DATA = ("static", "worker", "health.live", "metrics.", "openapi.", "operations.")


def create_app(config: Mapping[str, object] | None = None) -> Flask:
    """Make an application; ``config`` overrides the environment and the instance folder."""
    given = settings.load(settings.instance_path(), config)
    instance = settings.instance_folder()
    app = Flask(
        "scorer", root_path=str(settings.root()), instance_path=str(instance), static_folder=None
    )
    app.url_rule_class = LateRule
    app.config.from_mapping(settings.FIXED, **(config or {}))
    app.config.from_mapping({name: setting.value for name, setting in given.items()})
    app.config["VERSION"] = __version__
    _take_keys(app, instance)
    app.config["SQLALCHEMY_DATABASE_URI"] = app.config["DATABASE_URL"] or settings.sqlite_url(
        instance
    )
    app.json.sort_keys = False  # type: ignore[attr-defined]  # as in Flask's manual: keeps seats
    safe = not app.config["LAN_HTTP"]
    app.config["SESSION_COOKIE_SECURE"] = safe
    app.config["SESSION_COOKIE_NAME"] = f"__Host-{COOKIE}" if safe else COOKIE
    app.session_interface = Cookies()
    _mount(app, urlsplit(app.config["PUBLIC_URL"] or "").path)
    if hops := app.config["PROXY_HOPS"]:
        app.wsgi_app = ProxyFix(  # type: ignore[method-assign]  # as Flask's manual does it
            app.wsgi_app, x_for=hops, x_proto=hops, x_host=hops, x_prefix=hops
        )
    babel = Babel(app, default_locale=languages.SOURCE, locale_selector=_chosen_locale)
    babel.domain_instance = Catalogues()
    app.jinja_env.undefined = StrictUndefined
    app.jinja_env.trim_blocks = True
    app.jinja_env.lstrip_blocks = True
    app.jinja_env.finalize = in_words
    logs.register(app)
    limits.bound_forms(app)
    _ask_for_tokens(app)
    failures.register(app)
    limits.register(app)
    storage.init_app(app)
    metrics.register(app)
    app.url_value_preprocessor(_make_ready)
    streams.register(app)
    web.register(app)
    api.register(app)
    return app


def _ask_for_tokens(app: Flask) -> None:
    """Refuse a form without its CSRF token; a request that opens no cookie needs none."""
    csrf = CSRFProtect(app)

    @app.before_request
    def check_token() -> None:
        opened = not app.session_interface.is_null_session(cookie)
        if app.config["WTF_CSRF_ENABLED"] and request.endpoint and opened:
            csrf.protect()


def _take_keys(app: Flask, instance: Path) -> None:
    """Sign cookies and tokens with the newest key, and accept those of the older ones."""
    key = app.config["SECRET_KEY"]
    newest, *older = [key] if key else settings.secret_keys(instance)
    older += app.config["SECRET_KEY_FALLBACKS"]
    app.config["SECRET_KEY"], app.config["SECRET_KEY_FALLBACKS"] = newest, older
    app.config["WTF_CSRF_SECRET_KEY"] = [*reversed(older), newest]  # as itsdangerous wants them


class Cookies(SecureCookieSessionInterface):
    """The session's cookie, which no answer to a form without a valid token replaces.

    With a form of another site a browser sends no cookie, yet it stores the one that is answered:
    the phone would lose its circles. For programs, which send a bearer, no cookie is opened: no
    view of theirs can act in the name of a phone, whatever page made its browser send the request.

    When a home changes to HTTPS, a phone still has the cookie of plain HTTP. It is accepted if the
    phone has no other, and replaced by the answer.
    """

    digest_method = staticmethod(sha256)

    def open_session(self, app: Flask, request: Request) -> SecureCookieSession | None:
        if failures.for_programs(request):
            return None
        if not _has_old_cookie_only(app, request):
            return super().open_session(app, request)
        longest = int(app.permanent_session_lifetime.total_seconds())
        session = self.session_class()
        if serializer := self.get_signing_serializer(app):
            with suppress(BadSignature):
                session.update(serializer.loads(request.cookies[COOKIE], max_age=longest))
        return session

    def save_session(self, app: Flask, session: SessionMixin, response: Response) -> None:
        super().save_session(app, session, response)
        if _has_old_cookie_only(app, request) and self.should_set_cookie(app, session):
            response.delete_cookie(COOKIE, secure=True, httponly=True, samesite="Lax")

    def should_set_cookie(self, app: Flask, session: SessionMixin) -> bool:
        forged = app.config["WTF_CSRF_ENABLED"] and "csrf_valid" not in g
        safe = request.method not in app.config["WTF_CSRF_METHODS"] or not forged
        kept_by_caches = request.endpoint == "static"
        return safe and not kept_by_caches and super().should_set_cookie(app, session)


def _has_old_cookie_only(app: Flask, request: Request) -> bool:
    """Whether a phone sends the cookie that plain HTTP gave it, and not the one of HTTPS."""
    ours = app.config["SESSION_COOKIE_NAME"]
    return ours != COOKIE and ours not in request.cookies and COOKIE in request.cookies


def _mount(app: Flask, path: str) -> None:
    """Serve the pages below the path of the public address, whether a proxy strips it or not."""
    if not path:
        return
    inner = app.wsgi_app

    def mounted(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        if not environ.get("SCRIPT_NAME"):
            environ["SCRIPT_NAME"] = path
            if f"{environ['PATH_INFO']}/".startswith(f"{path}/"):
                environ["PATH_INFO"] = environ["PATH_INFO"].removeprefix(path) or "/"
        return inner(environ, start_response)

    app.wsgi_app = mounted  # type: ignore[method-assign]  # as Flask's manual does it


class Catalogues(Domain):  # type: ignore[misc]  # flask-babel has no types
    """The catalogues of ``scorer.languages``, for Flask-Babel."""

    def get_translations(self) -> NullTranslations:
        locale = get_locale()
        return languages.catalogue(locale.language if locale else languages.SOURCE)

    def gettext(self, string: str, **values: object) -> str:
        template = self.get_translations().ugettext(string)
        return languages.filled(template, values, get_locale().language) if values else template


def _make_ready(endpoint: str | None, _: object) -> None:
    """Make the tables before the first request that may need them."""
    if endpoint and not endpoint.startswith(WITHOUT_DATA):
        storage.make_ready()


def _chosen_locale() -> str:
    """Return the language that the reader chose, or else what the browser prefers."""
    chosen = request.cookies.get("language")
    if chosen in languages.LANGUAGES:
        return chosen
    return request.accept_languages.best_match(languages.LANGUAGES, languages.SOURCE)
