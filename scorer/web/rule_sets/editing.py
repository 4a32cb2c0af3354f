"""The screen that edits a rule set, with what it pays while one types."""

from __future__ import annotations

from dataclasses import dataclass, replace
from http import HTTPStatus
from typing import TYPE_CHECKING, Any
from uuid import UUID, uuid4

from flask import abort, current_app, flash, redirect, render_template, request
from flask_babel import gettext

from scorer.errors import ConflictError, InvalidError, UnknownGameError
from scorer.games import FIRST, find_game
from scorer.rules.description import Description
from scorer.rules.game import Game
from scorer.rules.options import Difference, differences
from scorer.services import rule_sets
from scorer.services.rule_sets import Edited, NewRuleSet, read_own
from scorer.services.state import load_state
from scorer.storage import queries
from scorer.web.access import current_holder
from scorer.web.filters import in_words
from scorer.web.forms.sheets import EXAMPLES
from scorer.web.forms.sheets.chiamata_example import ChosenExample, PaidExample
from scorer.web.rule_sets.choosing import meant
from scorer.web.rule_sets.form import RulesForm, beside
from scorer.web.rule_sets.pages import RULE_SET, RULES, pages, rule_set_url
from scorer.web.views import circle_view

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from flask.typing import ResponseReturnValue

    from scorer.errors import Problem
    from scorer.texts import Text

LIKELY_NAMES = 6
#: The screen of a game that brings none itself, as it is derived.
DERIVED = "rule_sets/_options.html"


@dataclass(frozen=True, slots=True)
class Draft:
    """What is being edited: a new rule set, or the one that was seen at a version."""

    circle_id: UUID
    game: Game[Any, Any]
    form: RulesForm
    name: str
    key: str
    rule_set_id: UUID | None = None
    seen: int = 0
    theirs: tuple[Difference, ...] = ()


@dataclass(frozen=True, slots=True)
class Seen:
    """What the rules as they stand come to: their table, and an example deal that they pay."""

    table: Description
    deal: ChosenExample | None
    paid: PaidExample | None


@pages.get(f"{RULES}/new")
def new(circle_id: UUID) -> ResponseReturnValue:
    """Ask for a new rule set: a copy of a preset, of another rule set, or of a session's rules."""
    game = _game(request.args.get("game", FIRST))
    rules, name = _copied(circle_id, game)
    draft = Draft(circle_id, game, RulesForm.of(game, rules), name, str(uuid4()))
    return _page(draft)


def _game(slug: str) -> Game[Any, Any]:
    try:
        return find_game(slug)
    except UnknownGameError:
        abort(HTTPStatus.BAD_REQUEST)


def _copied(circle_id: UUID, game: Game[Any, Any]) -> tuple[Any, str]:
    """Say which rules are copied, and what the copy may be called."""
    session_id = request.args.get("session", type=UUID)
    if session_id is not None:
        state = load_state(circle_id, session_id)
        if state.game == game:
            return state.rules, in_words(game.describe(state.rules).name)
    source = meant(circle_id, game, request.args.get("from", ""))
    rules = source.rules if source else game.preset
    return rules, gettext("%(name)s, our way", name=in_words(game.describe(rules).name))


@pages.post(f"{RULES}/new")
def new_sent(circle_id: UUID) -> ResponseReturnValue:
    """Keep the new rule set, or show what it comes to so far."""
    draft = _sent(circle_id, _game(request.form.get("game", "")))

    def save() -> UUID:
        wanted = NewRuleSet(UUID(draft.key), draft.game.slug, draft.name, draft.form.document)
        return rule_sets.keep_rules(wanted, current_holder())

    return _act(draft, save)


@pages.get(f"{RULE_SET}/edit")
def edit(circle_id: UUID, rule_set_id: UUID) -> ResponseReturnValue:
    """Ask for the next version of a rule set, with what stands in the newest."""
    own = rule_sets.find_rules(circle_id, rule_set_id)
    form = RulesForm.of(own.game, own.rules)
    draft = Draft(circle_id, own.game, form, own.name, "", rule_set_id, own.version)
    return _page(draft)


@pages.post(f"{RULE_SET}/edit")
def edit_sent(circle_id: UUID, rule_set_id: UUID) -> ResponseReturnValue:
    """Write the next version of a rule set, or show what it comes to so far."""
    own = rule_sets.find_rules(circle_id, rule_set_id)
    sent = _sent(circle_id, own.game)
    draft = replace(sent, rule_set_id=rule_set_id, seen=_version_seen())

    def save() -> UUID:
        edited = Edited(rule_set_id, draft.seen, draft.name, draft.form.document)
        version = rule_sets.save_version(edited, current_holder())
        if version == draft.seen:
            flash(
                gettext(
                    "Nothing else was changed: it is still version %(number)s.", number=version
                ),
                "ok",
            )
        return rule_set_id

    return _act(draft, save)


def _version_seen() -> int:
    version = request.form.get("version", type=int)
    if version is None:
        abort(HTTPStatus.BAD_REQUEST)
    return version


def _sent(circle_id: UUID, game: Game[Any, Any]) -> Draft:
    """Read what a browser sent."""
    form = request.form
    return Draft(circle_id, game, RulesForm(game, form), form.get("name", ""), _key())


def _key() -> str:
    try:
        return str(UUID(request.form.get("key", "")))
    except ValueError:
        return str(uuid4())


def _act(draft: Draft, save: Callable[[], UUID]) -> ResponseReturnValue:
    """Do what the button says: save, add a row or take one away, or only look."""
    act, _, rest = request.form.get("action", "look").partition(":")
    path, _, row = rest.partition(":")
    if act == "add":
        return _page(replace(draft, form=draft.form.with_row(path)))
    if act == "remove" and row.isdecimal():
        return _page(replace(draft, form=draft.form.without_row(path, int(row[:9]))))
    try:
        if act == "save":
            return redirect(rule_set_url(draft.circle_id, save()), HTTPStatus.SEE_OTHER)
        _read(draft)
    except InvalidError as error:
        return _page(draft, error.problems), HTTPStatus.UNPROCESSABLE_ENTITY
    except ConflictError:
        return _page(_overtaken(draft)), HTTPStatus.CONFLICT
    return _page(draft)


def _overtaken(draft: Draft) -> Draft:
    """Show what was saved meanwhile, and let what was typed be saved after it."""
    if draft.rule_set_id is None:
        own = rule_sets.find_rules(draft.circle_id, rule_sets.key_of(UUID(draft.key)))
    else:
        own = rule_sets.find_rules(draft.circle_id, draft.rule_set_id)
    theirs = differences(_read(draft), own.rules)
    return replace(draft, rule_set_id=own.rule_set_id, seen=own.version, theirs=theirs)


def _read(draft: Draft) -> Any:
    """Read the rules as they stand; raise InvalidError."""
    return read_own(draft.game, draft.name, draft.form.document)


def _page(draft: Draft, problems: Sequence[Problem] = ()) -> str:
    seen = _seen(draft)
    return render_template(
        "rule_sets/edit.html",
        circle=circle_view(draft.circle_id),
        draft=draft,
        form_template=_form_template(draft.game),
        boxes=draft.form.boxes(problems),
        options=draft.form.options,
        problems=beside(problems),
        seen=seen,
    )


def _form_template(game: Game[Any, Any]) -> str | None:
    """The screen that a game brings itself, or the derived one."""
    found = current_app.jinja_env.select_template([f"games/{game.slug}/_rules.html", DERIVED])
    return found.name


def _seen(draft: Draft) -> Seen | None:
    """Say what the rules as they stand come to; None while they can't be played by."""
    rules, problems = draft.game.rules_from({**draft.form.document, **_texts(draft)})
    if problems:
        return None
    deal = paid = None
    if draft.game.slug in EXAMPLES:
        example = EXAMPLES[draft.game.slug]
        deal = example.chosen(rules, request.form, _likely_names(draft.circle_id))
        paid = example.paid(draft.game, rules, deal)
    return Seen(draft.game.describe(rules), deal, paid)


def _texts(draft: Draft) -> dict[str, str]:
    return {"slug": draft.game.preset.slug, "name": draft.name or "–"}


def _likely_names(circle_id: UUID) -> list[str]:
    players = queries.players_last_used_first(circle_id)
    return [one.name for one in players if one.retired_at is None][:LIKELY_NAMES]


@pages.post(f"{RULES}/preview")
def preview(circle_id: UUID) -> ResponseReturnValue:
    """Say what the form as it stands comes to, as the part of the page that follows it."""
    draft = _sent(circle_id, _game(request.form.get("game", "")))
    problems: dict[str, list[Text]] = {}
    try:
        _read(draft)
    except InvalidError as error:
        problems = beside(error.problems)
    page = render_template("rule_sets/_preview.html", seen=_seen(draft), problems=problems)
    return page, HTTPStatus.UNPROCESSABLE_ENTITY if problems else HTTPStatus.OK
