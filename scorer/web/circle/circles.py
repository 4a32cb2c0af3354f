"""Pages of circles: home, a circle's sessions and standings, its name, its file and its end."""

from collections.abc import Sequence
from http import HTTPStatus
from pathlib import Path
from uuid import UUID, uuid4

from flask import abort, current_app, flash, jsonify, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_babel import gettext, lazy_gettext
from flask_wtf.csrf import generate_csrf
from wtforms import BooleanField, StringField

from scorer.roles import Role
from scorer.routes import EXPORT, Routes
from scorer.rules.questions import body_of
from scorer.services.base.circle_limits import nearly_full
from scorer.services.base.clock import now
from scorer.services.base.journal import Kind
from scorer.services.circle import circles, players
from scorer.services.circle.phones import kind_of_browser
from scorer.services.deals import history
from scorer.services.files import demo
from scorer.services.files.spreadsheets import circle_places, circle_table
from scorer.services.journal.circle_file import export_circle, note_export
from scorer.services.journal.status import days_without_backup
from scorer.services.live.events import circle_version
from scorer.services.tournament.page import seats_now
from scorer.services.tournament.tournaments import open_tournaments
from scorer.texts import Text, say
from scorer.web.base import access, downloads
from scorer.web.base.forms import BodyForm, FileForm, PageForm
from scorer.web.base.pages import CIRCLE
from scorer.web.figures.searching import asked_standings

pages = Routes("circles", __name__)

#: The zones in the list; any other can be typed.
COMMON_ZONES = (
    *("Europe/Rome", "Europe/London", "Europe/Paris", "Europe/Berlin", "Europe/Zurich"),
    *("Europe/Madrid", "Europe/Brussels", "America/New_York", "America/Toronto"),
    *("America/Argentina/Buenos_Aires", "America/Sao_Paulo", "Australia/Melbourne", "UTC"),
)


class CircleForm(BodyForm):
    """The name of a circle and the time zone of its pages, each sent by a button of its own."""

    body_type = body_of("CircleTerms", circles.rename_circle, circles.set_zone)
    asked = BooleanField()


#: What the circle of a day of the week may be called, from Monday on.
TABLES = (
    *(say("The Monday table"), say("The Tuesday table"), say("The Wednesday table")),
    *(say("The Thursday table"), say("The Friday table"), say("The Saturday table")),
    say("The Sunday table"),
)


class DeleteForm(PageForm):
    """The name of a circle, typed before it is deleted."""

    name = StringField(lazy_gettext("Type the name of the circle to delete it"), default="")


@pages.get("/", kept=True)
def home() -> ResponseReturnValue:
    known = history.known_circles(access.known_phones(), access.used_at())
    access.use_names_of(*(circle.phone.circle_id for circle in known))
    return render_template("circle/home.html", circles=known)


@pages.post("/demo", limit="demo")
def begin_demo() -> ResponseReturnValue:
    """Make an invented circle whose owner is this browser, where `scorer serve --demo` runs."""
    if not current_app.config["DEMO"]:
        abort(HTTPStatus.NOT_FOUND)
    holder = demo.begin_for_visitor(kind_of_browser(request.user_agent.string))
    access.remember(holder.circle_id, holder.phone_id)
    flash(gettext("This circle is invented and yours alone. It is deleted after an hour."), "ok")
    return redirect(url_for("circles.show", circle_id=holder.circle_id), HTTPStatus.SEE_OTHER)


@pages.get(f"{CIRCLE}/", least=Role.SPECTATOR, kept=True)
def show(circle_id: UUID) -> ResponseReturnValue:
    """Show a circle: open sessions, standings, and the last evenings."""
    asked, past = asked_standings(circle_id), history.past_sessions(circle_id)
    page = render_template(
        "circle/circle.html",
        version=circle_version(circle_id),
        open_sessions=history.open_sessions(circle_id),
        tournaments=open_tournaments(circle_id),
        seats_now=seats_now(circle_id, access.current_holder().player_id),
        past_sessions=past,
        offered_names=_offered_names(past),
        form=CircleForm(),
        claims=access.new_claims(),
        **asked,
    )
    return page, HTTPStatus.UNPROCESSABLE_ENTITY if asked["problems"] else HTTPStatus.OK


def _offered_names(past: Sequence[history.SessionSummary]) -> list[Text]:
    """Return what an owner may call a circle that has no name after its first evening, if so."""
    here, dismissed = access.current_holder(), access.is_dismissed
    if here.role is not Role.OWNER or not past or dismissed(access.NAME, here.circle_id):
        return []
    if circles.is_named(here.circle, players.nicknames(here.circle_id)):
        return []
    founder = here.player or here.circle.split(", ")[0]
    day = past[-1].row.started_at.astimezone(access.zone_here()).weekday()
    return [TABLES[day], say("%(name)s’s table", name=founder)]


@pages.post(f"{CIRCLE}/unnamed", least=Role.OWNER)
def stay_unnamed(circle_id: UUID) -> ResponseReturnValue:
    access.dismiss_question(access.NAME, circle_id)
    return redirect(url_for("circles.show", circle_id=circle_id), HTTPStatus.SEE_OTHER)


@pages.get(f"{CIRCLE}/more", least=Role.SPECTATOR, kept=True)
def more(circle_id: UUID) -> ResponseReturnValue:  # noqa: ARG001  # the guard has read it
    """Show the rest of a circle's pages: searches, settings, files, this phone."""
    phone = access.current_holder()
    return _more_page(CircleForm(name=phone.circle, zone=phone.zone))


def _more_page(form: CircleForm) -> str:
    phone, notices = access.current_holder(), list[Text]()
    if phone.role is Role.OWNER:
        notices += nearly_full(phone.circle_id)
        if days := days_without_backup(Path(current_app.instance_path)):
            message = say(
                "The last backup is %(days)s days old. Whoever runs the server should look at it.",
                days=days,
            )
            notices.append(message)
    return render_template(
        "circle/more.html",
        notices=notices,
        form=form,
        zones=COMMON_ZONES,
        file=FileForm(key=uuid4()),
    )


@pages.get(f"{CIRCLE}/version", least=Role.SPECTATOR)
def version(circle_id: UUID) -> ResponseReturnValue:
    """Return the number that grows with each write to the circle, for its page to watch."""
    return jsonify(version=circle_version(circle_id))


@pages.get(f"{CIRCLE}/token", least=Role.SPECTATOR, at_table=True)
def token(circle_id: UUID) -> ResponseReturnValue:  # noqa: ARG001  # the guard has read it
    """Return a CSRF token for a page that was open while the network was away."""
    return jsonify(csrf_token=generate_csrf())


@pages.post(f"{CIRCLE}/rename", least=Role.OWNER, logged="circle-renamed")
def rename(circle_id: UUID) -> ResponseReturnValue:
    by = access.current_holder()
    form = CircleForm(request.form, zone=by.zone)
    if not form.attempt(circles.rename_circle, circle_id, form.answers["name"], by=by):
        return _more_page(form), HTTPStatus.UNPROCESSABLE_ENTITY
    after = circles.find(circle_id).name
    flash(gettext("%(before)s is called %(after)s now.", before=by.circle, after=after), "ok")
    following = "circles.show" if form.asked.data else "circles.more"
    return redirect(url_for(following, circle_id=circle_id), HTTPStatus.SEE_OTHER)


@pages.post(f"{CIRCLE}/zone", least=Role.OWNER, logged="zone-set")
def set_zone(circle_id: UUID) -> ResponseReturnValue:
    by = access.current_holder()
    form = CircleForm(request.form, name=by.circle)
    if not form.attempt(circles.set_zone, circle_id, form.answers["zone"], by=by):
        return _more_page(form), HTTPStatus.UNPROCESSABLE_ENTITY
    flash(gettext("Days and times are shown in the new zone."), "ok")
    return redirect(url_for("circles.more", circle_id=circle_id), HTTPStatus.SEE_OTHER)


@pages.post(
    f"{CIRCLE}/file",
    least=Role.OWNER,
    limit=EXPORT,
    logged="circle-exported",
)
def download(circle_id: UUID) -> ResponseReturnValue:
    """Send the whole circle as one file, for `scorer import`."""
    note_export(circle_id, by=access.current_holder())
    return downloads.file(export_circle(circle_id), _title(), "jsonl", "application/x-ndjson")


def _title() -> str:
    return f"{now():%Y-%m-%d} {access.current_holder().circle}"


@pages.post(f"{CIRCLE}/<any(csv, xlsx):ending>", least=Role.SPECTATOR, limit=EXPORT)
def download_table(circle_id: UUID, ending: str) -> ResponseReturnValue:
    """Send all deals of the circle as CSV, or as an XLSX workbook."""
    note_export(circle_id, kind=Kind.TABLE_EXPORTED, by=access.current_holder())
    deals, places = circle_table(circle_id, access.zone_here()), circle_places(circle_id)
    return downloads.table(deals, places, _title(), ending)


@pages.get(f"{CIRCLE}/delete", least=Role.OWNER)
def delete(circle_id: UUID) -> ResponseReturnValue:
    return _delete_page(circle_id, DeleteForm())


@pages.post(f"{CIRCLE}/delete", least=Role.OWNER, logged="circle-deleted")
def delete_sent(circle_id: UUID) -> ResponseReturnValue:
    form = DeleteForm(request.form)
    name = access.current_holder().circle
    if not form.attempt(circles.delete_circle, circle_id, form.name.data or ""):
        return _delete_page(circle_id, form), HTTPStatus.UNPROCESSABLE_ENTITY
    flash(gettext("%(circle)s is deleted, with everything in it.", circle=name), "ok")
    return access.leave(circle_id, redirect(url_for("circles.home"), HTTPStatus.SEE_OTHER))


def _delete_page(circle_id: UUID, form: DeleteForm) -> str:
    sessions, people = circles.contents(circle_id)
    return render_template("circle/delete.html", sessions=sessions, players=people, form=form)
