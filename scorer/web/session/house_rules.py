"""A circle's own rules: listed, shown, shared, imported, and edited with a live preview."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from http import HTTPStatus
from typing import Any, cast
from uuid import UUID, uuid4

import segno
from flask import abort, current_app, flash, redirect, render_template, request
from flask.typing import ResponseReturnValue
from flask_babel import gettext

from scorer.errors import ConflictError, InvalidError, Problem
from scorer.games import FIRST, all_games
from scorer.operations.scoring import rule_set as written_out
from scorer.roles import Role
from scorer.routes import Routes, address_of
from scorer.rules.game import Game
from scorer.rules.options import Difference, differences
from scorer.services.circle import circles
from scorer.services.session import house_rules
from scorer.services.session.house_rules import read_choice, value_of
from scorer.services.session.state import load_state
from scorer.web.base import access, downloads
from scorer.web.base.access import current_holder
from scorer.web.base.filters import in_words
from scorer.web.base.pages import rule_set_url
from scorer.web.deals.entry_forms import deal_form
from scorer.web.session.choosing import sent_game
from scorer.web.session.rules_forms import (
    KeepRulesForm,
    LookForm,
    RuleSetForm,
    filled_in,
    rules_form,
)

RULES = "/circles/<uuid:circle_id>/rules"
RULE_SET = f"{RULES}/<uuid:rule_set_id>"

pages = Routes("rule_sets", __name__)


@pages.get(f"{RULES}/", least=Role.SPECTATOR)
def index(circle_id: UUID) -> ResponseReturnValue:
    listed = house_rules.own_rules(circle_id)
    return render_template(
        "session/house_rules.html",
        look=LookForm(),
        own=[own for own in listed if own.row.retired_at is None],
        retired=[own for own in listed if own.row.retired_at is not None],
        games=[
            (game, [game.describe(rules) for rules in game.presets.values()])
            for game in all_games()
        ],
    )


@pages.get(f"{RULE_SET}/", least=Role.SPECTATOR)
def show(circle_id: UUID, rule_set_id: UUID) -> ResponseReturnValue:
    """Show a rule set in its newest version, or in an older one."""
    version = request.args.get("version", type=int)
    own = house_rules.find_rules(circle_id, rule_set_id, version)
    return render_template(
        "session/house_rule.html",
        own=own,
        value=value_of(own.reference),
        versions=house_rules.versions(circle_id, rule_set_id),
    )


@pages.get(f"{RULE_SET}/share", least=Role.SPECTATOR)
def share(circle_id: UUID, rule_set_id: UUID) -> ResponseReturnValue:
    """Show the link that contains a rule set, as a QR code and as text."""
    own = house_rules.find_rules(circle_id, rule_set_id)
    code = house_rules.packed(house_rules.travelling(own.game, own.rules))
    url = address_of("rule_sets.bring", _anchor=code)
    qr = segno.make(url, error="l").svg_data_uri(scale=4, border=4, light="#fff", dark="#000")
    return render_template("session/share_rules.html", own=own, url=url, qr=qr)


@pages.get(f"{RULE_SET}/file", least=Role.SPECTATOR)
def download(circle_id: UUID, rule_set_id: UUID) -> ResponseReturnValue:
    own = house_rules.find_rules(circle_id, rule_set_id)
    text = json.dumps(written_out(own.game, own.rules), ensure_ascii=False, indent=1)
    title = f"{own.game.slug} {own.row.name}"
    return downloads.file([text.encode()], title, "json", "application/json")


@pages.post(f"{RULE_SET}/retire", endpoint="retire", least=Role.SCOREKEEPER)
@pages.post(f"{RULE_SET}/bring-back", endpoint="bring_back", least=Role.SCOREKEEPER)
def offer(circle_id: UUID, rule_set_id: UUID) -> ResponseReturnValue:
    retired = request.endpoint == "rule_sets.retire"
    house_rules.retire_rules(circle_id, rule_set_id, retired=retired, by=current_holder())
    if retired:
        flash(gettext("It is put away. What was played by it stays as it is."), "ok")
    return redirect(rule_set_url(circle_id, rule_set_id), HTTPStatus.SEE_OTHER)


@pages.get("/bring")
def bring() -> ResponseReturnValue:
    """Show the form for a table; the script takes the table from the link's fragment."""
    return _ask(LookForm())


@pages.post("/bring", limit="file")
def bring_sent() -> ResponseReturnValue:
    """Preview a table from a link or a file, or show its problems."""
    form = LookForm(request.form)
    file = request.files.get("file")
    text = file.read(house_rules.LONGEST_DOCUMENT + 1) if file else b""
    try:
        brought = house_rules.preview_rules(text or form.document.data or "")
    except InvalidError as error:
        return _ask(form, error.problems), HTTPStatus.UNPROCESSABLE_ENTITY
    return _show(brought, KeepRulesForm(key=uuid4(), name=brought.rules.name))


@pages.post(f"{RULES}/bring", least=Role.SCOREKEEPER, limit=("import", "file"))
def bring_in(circle_id: UUID) -> ResponseReturnValue:
    """Store a previewed table as a rule set of the circle."""
    form = KeepRulesForm.sent()
    try:
        brought = house_rules.preview_rules(form.document.data or "")
    except InvalidError as error:
        page = _ask(LookForm(document=form.document.data), error.problems)
        return page, HTTPStatus.UNPROCESSABLE_ENTITY
    own = {"game": brought.game.slug, "name": form.name.data, "rules": brought.document}
    key, by = cast("UUID", form.key.data), current_holder()
    try:
        rule_set_id = house_rules.keep_rules(circle_id, key=key, **own, by=by)
    except InvalidError as error:
        form.refuse(error.problems)
        return _show(brought, form), HTTPStatus.UNPROCESSABLE_ENTITY
    return redirect(rule_set_url(circle_id, rule_set_id), HTTPStatus.SEE_OTHER)


def _ask(form: LookForm, faults: Sequence[Problem] = ()) -> str:
    return render_template("session/bring.html", brought=None, form=form, faults=faults)


def _show(brought: house_rules.ImportedRules, form: KeepRulesForm) -> str:
    opened = circles.opened_circles(access.known_phones(), access.used_at())
    return render_template(
        "session/bring.html",
        brought=brought,
        table=brought.game.describe(brought.rules),
        document=json.dumps(brought.document, ensure_ascii=False),
        circles=[circle for circle in opened if circle.role.reaches(Role.SCOREKEEPER)],
        form=form,
    )


#: The derived template, for games without one of their own.
DERIVED = "session/_options.html"


@dataclass(frozen=True, slots=True)
class Draft:
    """The rule set being edited: a new one, or a version of an existing one."""

    circle_id: UUID
    game: Game[Any, Any]
    form: RuleSetForm
    rule_set_id: UUID | None = None
    seen: int = 0
    theirs: tuple[Difference, ...] = ()

    @property
    def name(self) -> str:
        return self.form.name.data or ""


@pages.get(f"{RULES}/new", least=Role.SCOREKEEPER)
def new(circle_id: UUID) -> ResponseReturnValue:
    """Show the form of a new rule set: a copy of a preset, a rule set, or a session's rules."""
    game = sent_game(request.args.get("game", FIRST))
    session_id = request.args.get("session", type=UUID)
    state = load_state(circle_id, session_id) if session_id else None
    if state and state.game == game:
        rules, name = state.rules, in_words(game.describe(state.rules).name)
    else:
        source = read_choice(circle_id, game, request.args.get("from", ""))
        rules = source.rules if source else game.preset
        name = gettext("%(name)s, our way", name=in_words(game.describe(rules).name))
    return _page(Draft(circle_id, game, _filled_in(game, rules, name)))


def _filled_in(game: Game[Any, Any], rules: Any, name: str) -> RuleSetForm:
    return RuleSetForm(rules=filled_in(game, rules), key=uuid4(), name=name)


@pages.post(f"{RULES}/new", least=Role.SCOREKEEPER, limit="preview")
def new_sent(circle_id: UUID) -> ResponseReturnValue:
    game = sent_game(request.form.get("game"))
    return _act(Draft(circle_id, game, _sent(game)))


@pages.get(f"{RULE_SET}/edit", least=Role.SCOREKEEPER)
def edit(circle_id: UUID, rule_set_id: UUID) -> ResponseReturnValue:
    own = house_rules.find_rules(circle_id, rule_set_id)
    form = _filled_in(own.game, own.rules, own.row.name)
    return _page(Draft(circle_id, own.game, form, rule_set_id, own.row.version))


@pages.post(f"{RULE_SET}/edit", least=Role.SCOREKEEPER, limit="preview")
def edit_sent(circle_id: UUID, rule_set_id: UUID) -> ResponseReturnValue:
    """Write the next version of a rule set, or preview it."""
    own = house_rules.find_rules(circle_id, rule_set_id)
    form = _sent(own.game)
    if form.version.data is None:
        abort(HTTPStatus.BAD_REQUEST)
    return _act(Draft(circle_id, own.game, form, rule_set_id, form.version.data))


def _sent(game: Game[Any, Any]) -> RuleSetForm:
    """Read a sent rule set; abort if it lacks the key that our page sends."""
    form = RuleSetForm(request.form, rules=rules_form(game)(request.form))
    if not form.validate():
        abort(HTTPStatus.BAD_REQUEST)
    return form


def _act(draft: Draft) -> ResponseReturnValue:
    """Do what the button says: save, add or remove a row, or preview."""
    act, _, rest = (draft.form.action.data or "").partition(":")
    path, _, row = rest.partition(":")
    field = draft.form.rules.rows(path)
    if act == "add" and field is not None:
        field.rows.append(("",) * len(field.columns))
    if act == "remove" and field is not None and row.isdecimal():
        field.rows[int(row[:9]) : int(row[:9]) + 1] = []
    if act in {"add", "remove"}:
        return _page(draft)
    try:
        if act == "save":
            return redirect(rule_set_url(draft.circle_id, _save(draft)), HTTPStatus.SEE_OTHER)
        _read(draft)
    except InvalidError as error:
        draft.form.refuse(error.problems)
        return _page(draft), HTTPStatus.UNPROCESSABLE_ENTITY
    except ConflictError:
        return _page(_overtaken(draft)), HTTPStatus.CONFLICT
    return _page(draft)


def _save(draft: Draft) -> UUID:
    """Store the rules as a new rule set, or as the next version of the edited one."""
    circle_id, by = draft.circle_id, current_holder()
    named: dict[str, Any] = {"name": draft.name, "rules": draft.form.rules.document}
    if draft.rule_set_id is None:
        key, game = cast("UUID", draft.form.key.data), draft.game.slug
        return house_rules.keep_rules(circle_id, key=key, game=game, **named, by=by)
    version = house_rules.save_version(
        circle_id, draft.rule_set_id, version=draft.seen, **named, by=by
    )
    if version == draft.seen:
        message = gettext(
            "Nothing else was changed: it is still version %(number)s.", number=version
        )
        flash(message, "ok")
    return draft.rule_set_id


def _overtaken(draft: Draft) -> Draft:
    """Base the draft on the version that was saved meanwhile, and list the differences."""
    rule_set_id = draft.rule_set_id or house_rules.key_of(cast("UUID", draft.form.key.data))
    own = house_rules.find_rules(draft.circle_id, rule_set_id)
    theirs = differences(_read(draft), own.rules)
    return replace(draft, rule_set_id=own.row.rule_set_id, seen=own.row.version, theirs=theirs)


def _read(draft: Draft) -> Any:
    """Read the rules of the form; raise InvalidError."""
    return house_rules.read_own(draft.game, draft.name, draft.form.rules.document)


def _page(draft: Draft) -> str:
    screens = [f"session/rules/{draft.game.slug}.html", DERIVED]
    return render_template(
        "session/edit.html",
        draft=draft,
        form=draft.form,
        rules=draft.form.rules,
        form_template=current_app.jinja_env.select_template(screens).name,
        seen=_seen(draft),
    )


def _seen(draft: Draft) -> dict[str, Any] | None:
    """Return the rules as a table, with an example deal of some games; None while invalid."""
    texts = {"slug": draft.game.preset.slug, "name": draft.name or "–"}
    rules, problems = draft.game.rules_from({**draft.form.rules.document, **texts})
    if problems:
        return None
    example = deal_form(draft.game).example(draft.game, rules, draft.circle_id, request.form)
    return {"table": draft.game.describe(rules), "deal": example}


@pages.post(f"{RULES}/preview", least=Role.SCOREKEEPER, limit="preview")
def preview(circle_id: UUID) -> ResponseReturnValue:
    game = sent_game(request.form.get("game"))
    form = _sent(game)
    draft = Draft(circle_id, game, form)
    form.attempt(_read, draft)
    page = render_template("session/_preview.html", seen=_seen(draft), form=form)
    return page, HTTPStatus.UNPROCESSABLE_ENTITY if form.problems else HTTPStatus.OK
