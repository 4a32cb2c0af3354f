"""Pages of a player's own phones: their circles, leaving one, and recovery links."""

from http import HTTPStatus
from uuid import UUID, uuid4

from flask import flash, make_response, redirect, render_template, url_for
from flask.typing import ResponseReturnValue
from flask_babel import gettext

from scorer.roles import Role
from scorer.services.circle import circles, phones
from scorer.services.circle.circles import Life
from scorer.web.base import access
from scorer.web.base.fields import UUIDField
from scorer.web.base.forms import PageForm
from scorer.web.base.pages import CIRCLE, session_url
from scorer.web.circle.circles import pages
from scorer.web.circle.links import fresh_link, make_fresh_link


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
    others = phones.others(here)
    page = render_template(
        "circle/own.html",
        here=here,
        others=others,
        later=phones.later_phones(here, [phone.phone_id for phone in others]),
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
    if not form.attempt(phones.send_own_away, access.current_holder(), phone_id):
        return _own_page(form)
    flash(gettext("The phone is in this circle no longer."), "ok")
    return redirect(url_for("circles.own", circle_id=circle_id), HTTPStatus.SEE_OTHER)


@pages.post(f"{CIRCLE}/leave", least=Role.SPECTATOR, logged="phone-left")
def leave(circle_id: UUID) -> ResponseReturnValue:
    form = PageForm()
    if not form.attempt(phones.leave, access.current_holder()):
        return _own_page(form)
    return left(circle_id)


def left(circle_id: UUID) -> ResponseReturnValue:
    """Redirect a phone that has left the circle to the home page, and forget the circle."""
    name = access.current_holder().circle
    flash(gettext("This phone is in %(circle)s no longer.", circle=name), "ok")
    return access.leave(circle_id, redirect(url_for("circles.home"), HTTPStatus.SEE_OTHER))


@pages.get(f"{CIRCLE}/recovery", least=Role.OWNER)
def recovery(circle_id: UUID) -> ResponseReturnValue:
    return render_template("circle/recovery.html", fresh=fresh_link(circle_id), key=uuid4())


@pages.post(f"{CIRCLE}/recovery", least=Role.OWNER, logged="link-made")
def make_recovery(circle_id: UUID) -> ResponseReturnValue:
    form = RecoveryForm.sent()
    answers = {"name": gettext("Recovery link"), "role": Role.OWNER, "life": Life.NEVER}
    make_fresh_link(circle_id, form.key.data, **answers)
    return redirect(url_for("circles.recovery", circle_id=circle_id), HTTPStatus.SEE_OTHER)


@pages.post(f"{CIRCLE}/recovery/no", least=Role.OWNER)
def no_recovery(circle_id: UUID) -> ResponseReturnValue:
    """Stop offering this browser a recovery link."""
    form = RecoveryForm.sent()
    access.dismiss_question(access.RECOVERY, circle_id)
    if form.session.data is None:
        return redirect(url_for("circles.phones", circle_id=circle_id), HTTPStatus.SEE_OTHER)
    return redirect(session_url(circle_id, form.session.data), HTTPStatus.SEE_OTHER)
