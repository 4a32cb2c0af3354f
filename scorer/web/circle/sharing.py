"""Pages about the phones of a circle: links, codes, keys of programs, joining, leaving, roles."""

from collections.abc import Callable
from http import HTTPStatus
from typing import Any, ClassVar, TypeVar
from uuid import UUID, uuid4, uuid5

from flask import flash, make_response, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_babel import gettext, lazy_gettext
from werkzeug.datastructures import MultiDict
from wtforms import BooleanField, StringField
from wtforms.validators import InputRequired

from scorer.errors import InvalidError, NotFoundError, Problem
from scorer.roles import ROLES, Role
from scorer.routes import address, address_of
from scorer.rules.questions import body_of
from scorer.services.base.throttle import guess
from scorer.services.circle import circles, players, programs
from scorer.services.circle import phones as player_phones
from scorer.services.circle.circles import Life
from scorer.services.circle.codes_and_tokens import join_by_code
from scorer.services.circle.phones import kind_of_browser
from scorer.services.deals import history
from scorer.texts import Text, say
from scorer.web.base import access
from scorer.web.base.addresses import opens_only_here
from scorer.web.base.fields import ChoiceField, UUIDField
from scorer.web.base.forms import BodyForm, PageForm
from scorer.web.base.pages import CIRCLE, session_url
from scorer.web.circle import links
from scorer.web.circle.circles import pages

Entered = TypeVar("Entered")

#: How many wrong links and codes an address may try in a minute. Right ones don't count, as a whole
#: club has one address.
MOST_WRONG = 10
#: How long a link may let phones in.
LIVES = Life.DAY, Life.WEEK, Life.NEVER
ALLOWED = {
    Role.OWNER: say("does everything, and lets phones in and out"),
    Role.SCOREKEEPER: say("has the pen: writes deals down and puts them right"),
    Role.PLAYER: say("sees everything, confirms deals and disputes them"),
    Role.SPECTATOR: say("only watches"),
}
#: What a code can let phones in as: an owner takes a link of its own.
BY_CODE = {role: ROLES[role] for role in (Role.PLAYER, Role.SCOREKEEPER, Role.SPECTATOR)}


class RoleForm(BodyForm):
    """The role of a phone."""

    body_type = body_of("NewRole", circles.give_role)


class LinkForm(BodyForm):
    """A new link: its role, how long it works, for how many phones, and for whom."""

    body_type, ids = body_of("NewLink", circles.make_link), "link-"
    key = UUIDField()
    life: ChoiceField

    def __init__(self, sent: MultiDict[str, str] | None = None, **values: Any) -> None:
        super().__init__(sent, **values)
        self.life.choices = [(life, life.words) for life in LIVES]


class CodeForm(PageForm):
    """The spoken code of a circle: its role, and whether a new one replaces one of that role."""

    role = ChoiceField("", None, BY_CODE, default=Role.PLAYER)
    again = BooleanField()


class SecretForm(PageForm):
    """A secret that lets a phone in; a script reads it from the fragment of the address."""

    code: StringField
    #: What is said of one that opens nothing.
    unknown: ClassVar[Text]

    def let_in(self, enter: Callable[..., Entered], secret: str | None = None) -> Entered | None:
        """Let this phone in by what was typed, or by another secret; a wrong one is a guess."""
        typed = (self.code.data or "").rsplit("#", 1)[-1].strip()
        known, token = access.known_phones(), access.browser_token()
        browser = kind_of_browser(request.user_agent.string)
        try:
            with guess(request.remote_addr or "", "guess", MOST_WRONG):
                return enter(secret or typed, known, browser_token=token, browser=browser)
        except NotFoundError:
            self.refuse([Problem("unknown-code", "code", self.unknown)])
        except InvalidError as error:
            self.refuse(error.problems)
        return None


class JoinForm(SecretForm):
    """The link or the spoken code that somebody received."""

    code = StringField(lazy_gettext("The link or code you were given"), default="")
    unknown = say(
        "This code opens nothing: it was mistyped or taken back, it ran out, or it was for one "
        "phone."
    )


class HoldForm(PageForm):
    """The player who holds a phone, or nobody in particular."""

    player_id = UUIDField()
    #: The session to return to.
    session = UUIDField()


@pages.get(f"{CIRCLE}/share", least=Role.OWNER)
def share(circle_id: UUID) -> ResponseReturnValue:
    """Show the code of the circle while it is valid: opening a page makes none."""
    home = address()
    return render_template(
        "circle/share.html",
        code=links.fresh_code(circle_id),
        roles=BY_CODE,
        allowed=ALLOWED,
        home_address=home,
        only_here=opens_only_here(home),
        join_address=address_of("circles.join"),
        under_way=history.newest_open(circle_id),
    )


@pages.post(f"{CIRCLE}/share", least=Role.OWNER, logged="code-made")
def let_in(circle_id: UUID) -> ResponseReturnValue:
    """Find the code of the circle for a role, or make one that replaces the one before."""
    form, code = CodeForm.sent(), links.fresh_code(circle_id)
    role = Role(form.role.chosen)
    if code is None or code.role is not role or form.again.data:
        links.make_fresh_code(circle_id, role)
    return redirect(url_for("circles.share", circle_id=circle_id), HTTPStatus.SEE_OTHER)


@pages.get(f"{CIRCLE}/links", least=Role.OWNER)
def link(circle_id: UUID) -> ResponseReturnValue:
    name = gettext("Another phone")
    return _link_page(circle_id, LinkForm(key=uuid4(), name=name, role=Role.PLAYER))


def _link_page(circle_id: UUID, form: LinkForm) -> ResponseReturnValue:
    page = render_template(
        "circle/link.html", fresh=links.fresh_link(circle_id), roles=ALLOWED, form=form
    )
    return page, HTTPStatus.UNPROCESSABLE_ENTITY if form.problems else HTTPStatus.OK


@pages.post(f"{CIRCLE}/links", least=Role.OWNER, logged="link-made")
def new_link(circle_id: UUID) -> ResponseReturnValue:
    form = LinkForm.sent()
    if not form.attempt(links.make_fresh_link, circle_id, form.key.data, **form.answers):
        return _link_page(circle_id, form)
    return redirect(url_for("circles.link", circle_id=circle_id), HTTPStatus.SEE_OTHER)


@pages.get(f"{CIRCLE}/phones", least=Role.SPECTATOR)
def phones(circle_id: UUID) -> ResponseReturnValue:
    return _phones_page(circle_id, PageForm())


def _phones_page(circle_id: UUID, form: PageForm) -> ResponseReturnValue:
    page = render_template(
        "circle/phones.html",
        links=circles.links(circle_id),
        phones=circles.phones(circle_id),
        players=players.active(circle_id),
        here=access.current_holder(),
        roles=ROLES,
        form=form,
    )
    return page, HTTPStatus.UNPROCESSABLE_ENTITY if form.problems else HTTPStatus.OK


@pages.post(f"{CIRCLE}/links/<uuid:link_id>/revoke", least=Role.OWNER, logged="link-revoked")
def revoke_link(circle_id: UUID, link_id: UUID) -> ResponseReturnValue:
    """Revoke a link with the phones that joined by it."""
    return _change(circle_id, circles.revoke_link, link_id)


@pages.post(f"{CIRCLE}/phones/<uuid:phone_id>/role", least=Role.OWNER, logged="role-given")
def give_role(circle_id: UUID, phone_id: UUID) -> ResponseReturnValue:
    return _change(circle_id, circles.give_role, phone_id, **RoleForm.sent().answers)


@pages.post(f"{CIRCLE}/phones/<uuid:phone_id>/holder", least=Role.OWNER, logged="holder-set")
def hand_over(circle_id: UUID, phone_id: UUID) -> ResponseReturnValue:
    return _change(circle_id, circles.hold, phone_id, HoldForm.sent().player_id.data)


@pages.post(f"{CIRCLE}/phones/<uuid:phone_id>/away", least=Role.OWNER, logged="phone-sent-away")
def send_away(circle_id: UUID, phone_id: UUID) -> ResponseReturnValue:
    return _change(circle_id, circles.send_away, phone_id)


def _change(
    circle_id: UUID, act: Callable[..., None], *values: UUID | None, **named: Any
) -> ResponseReturnValue:
    """Change the phones, and show them; redirect home where this phone has been removed."""
    form, by = PageForm(), access.current_holder()
    if not form.attempt(act, circle_id, *values, **named, by=by):
        return _phones_page(circle_id, form)
    try:
        circles.holder(circle_id, by.phone_id)
    except NotFoundError:
        return left(circle_id)
    return redirect(url_for("circles.phones", circle_id=circle_id), HTTPStatus.SEE_OTHER)


@pages.get("/join")
def join() -> ResponseReturnValue:
    """Show the form for a link or code; a script reads the secret from the fragment."""
    access.browser_token()
    return render_template("circle/join.html", form=JoinForm())


@pages.post("/join", limit="join")
def join_sent() -> ResponseReturnValue:
    form = JoinForm(request.form)
    code = links.read_code(form.code.data or "")
    if code is None:
        holder = form.let_in(circles.join)
    else:
        holder = form.let_in(join_by_code, links.code_hash(code))
    if holder is None:
        return render_template("circle/join.html", form=form), HTTPStatus.UNPROCESSABLE_ENTITY
    access.remember(holder.circle_id, holder.phone_id)
    session_id = history.newest_open(holder.circle_id)
    may_hold = holder.player_id is None and holder.role.reaches(Role.PLAYER)
    if may_hold and players.active(holder.circle_id):
        following = url_for("circles.who", circle_id=holder.circle_id, session=session_id)
    elif session_id:
        following = session_url(holder.circle_id, session_id)
    else:
        following = url_for("circles.show", circle_id=holder.circle_id)
    return redirect(following, HTTPStatus.SEE_OTHER)


@pages.get(f"{CIRCLE}/who", least=Role.PLAYER)
def who(circle_id: UUID) -> ResponseReturnValue:
    return render_template(
        "circle/who.html",
        players=players.active(circle_id),
        held_by=access.current_holder().player_id,
        form=HoldForm(request.args),
    )


@pages.post(f"{CIRCLE}/hold", least=Role.PLAYER, limit="hold")
def hold(circle_id: UUID) -> ResponseReturnValue:
    form = HoldForm.sent()
    by, player_id, session_id = access.current_holder(), form.player_id.data, form.session.data
    circles.hold(circle_id, by.phone_id, player_id, by=by)
    if player_id is None:
        access.dismiss_question(access.WHO, circle_id)
    if session_id is None:
        return redirect(url_for("circles.show", circle_id=circle_id), HTTPStatus.SEE_OTHER)
    if player := circles.holder(circle_id, by.phone_id).player:
        flash(gettext("This phone is %(name)s’s now.", name=player), "ok")
    return redirect(session_url(circle_id, session_id), HTTPStatus.SEE_OTHER)


class RecoveryForm(PageForm):
    """A request for a recovery link, or its dismissal."""

    key = UUIDField()
    session = UUIDField()


@pages.get("/mine")
def mine() -> ResponseReturnValue:
    phones_here = circles.opened_circles(access.known_phones(), access.used_at())
    answer = make_response(render_template("circle/mine.html", circles=phones_here))
    answer.cache_control.no_store = True
    return answer


@pages.get(f"{CIRCLE}/own", least=Role.SPECTATOR)
def own(circle_id: UUID) -> ResponseReturnValue:  # noqa: ARG001  # the guard has read it
    return _own_page(PageForm())


def _own_page(form: PageForm) -> ResponseReturnValue:
    here = access.current_holder()
    others = player_phones.others(here)
    page = render_template(
        "circle/own.html",
        here=here,
        others=others,
        later=player_phones.later_phones(here, [phone.phone_id for phone in others]),
        form=form,
        claims=access.see_claims(),
    )
    return page, HTTPStatus.UNPROCESSABLE_ENTITY if form.problems else HTTPStatus.OK


@pages.post(f"{CIRCLE}/seen", least=Role.SPECTATOR, at_table=True)
def seen(circle_id: UUID) -> ResponseReturnValue:  # noqa: ARG001  # the guard has read it
    """Record a use of this phone, reported by a script because a GET writes nothing."""
    return "", HTTPStatus.NO_CONTENT


@pages.post(f"{CIRCLE}/own/<uuid:phone_id>/away", least=Role.SPECTATOR, logged="phone-sent-away")
def send_own_away(circle_id: UUID, phone_id: UUID) -> ResponseReturnValue:
    form = PageForm()
    if not form.attempt(player_phones.send_own_away, access.current_holder(), phone_id):
        return _own_page(form)
    flash(gettext("The phone is in this circle no longer."), "ok")
    return redirect(url_for("circles.own", circle_id=circle_id), HTTPStatus.SEE_OTHER)


@pages.post(f"{CIRCLE}/leave", least=Role.SPECTATOR, logged="phone-left")
def leave(circle_id: UUID) -> ResponseReturnValue:
    form = PageForm()
    if not form.attempt(player_phones.leave, access.current_holder()):
        return _own_page(form)
    return left(circle_id)


def left(circle_id: UUID) -> ResponseReturnValue:
    """Redirect a phone that has left the circle to the home page, and forget the circle."""
    name = access.current_holder().circle
    flash(gettext("This phone is in %(circle)s no longer.", circle=name), "ok")
    return access.leave(circle_id, redirect(url_for("circles.home"), HTTPStatus.SEE_OTHER))


@pages.get(f"{CIRCLE}/recovery", least=Role.OWNER)
def recovery(circle_id: UUID) -> ResponseReturnValue:
    return render_template("circle/recovery.html", fresh=links.fresh_link(circle_id), key=uuid4())


@pages.post(f"{CIRCLE}/recovery", least=Role.OWNER, logged="link-made")
def make_recovery(circle_id: UUID) -> ResponseReturnValue:
    form = RecoveryForm.sent()
    answers = {"name": gettext("Recovery link"), "role": Role.OWNER, "life": Life.NEVER}
    links.make_fresh_link(circle_id, form.key.data, **answers)
    return redirect(url_for("circles.recovery", circle_id=circle_id), HTTPStatus.SEE_OTHER)


@pages.post(f"{CIRCLE}/recovery/no", least=Role.OWNER)
def no_recovery(circle_id: UUID) -> ResponseReturnValue:
    """Stop offering this browser a recovery link."""
    form = RecoveryForm.sent()
    access.dismiss_question(access.RECOVERY, circle_id)
    if form.session.data is None:
        return redirect(url_for("circles.phones", circle_id=circle_id), HTTPStatus.SEE_OTHER)
    return redirect(session_url(circle_id, form.session.data), HTTPStatus.SEE_OTHER)


KEY_LIVES = {life: life.words for life in (Life.MONTH, Life.YEAR, Life.NEVER)}


class KeyForm(BodyForm):
    """A new key: its role, its program, and how long it is valid."""

    body_type, ids = body_of("NewKey", programs.make_key), "key-"
    key = UUIDField(validators=[InputRequired()])
    life = ChoiceField(lazy_gettext("How long does it work?"), None, KEY_LIVES, default=Life.YEAR)


@pages.get(f"{CIRCLE}/keys", least=Role.OWNER)
def keys(circle_id: UUID) -> ResponseReturnValue:
    return _keys_page(circle_id, KeyForm(key=uuid4(), role=Role.PLAYER))


def _keys_page(circle_id: UUID, form: KeyForm, secret: str = "") -> ResponseReturnValue:
    page = render_template(
        "circle/keys.html",
        keys=programs.listed_keys(circle_id),
        form=form,
        roles=ALLOWED,
        secret=secret,
    )
    return page, HTTPStatus.UNPROCESSABLE_ENTITY if form.problems else HTTPStatus.OK


@pages.post(f"{CIRCLE}/keys", least=Role.OWNER, logged="key-made")
def new_key(circle_id: UUID) -> ResponseReturnValue:
    """Make a key and show its secret, which is stored nowhere, in the answer alone.

    A form sent twice makes one key and shows the same secret, but not to another browser.
    """
    form = KeyForm.sent()
    made_by = (form.key.data or uuid4()).hex
    seed = uuid5(circle_id, f"{made_by} {access.browser_token()}").hex
    secret, key_id = circles.derived_secrets(f"key {seed}")[0], uuid5(circle_id, made_by)
    answers = {**form.answers, "life": circles.LIVES.get(Life(form.life.chosen))}
    by = access.current_holder()
    if not form.attempt(programs.make_key, circle_id, key_id, secret, **answers, by=by):
        return _keys_page(circle_id, form)
    shown = secret if programs.find_program(secret) else ""
    return _keys_page(circle_id, KeyForm(key=uuid4(), role=Role.PLAYER), shown)


@pages.post(f"{CIRCLE}/keys/<uuid:key_id>/revoke", least=Role.OWNER, logged="key-revoked")
def revoke_key(circle_id: UUID, key_id: UUID) -> ResponseReturnValue:
    programs.revoke_key(circle_id, key_id, by=access.current_holder())
    return redirect(url_for("circles.keys", circle_id=circle_id), HTTPStatus.SEE_OTHER)
