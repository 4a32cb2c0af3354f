"""The page of a new session: who plays, in which order, by which rules, until when."""

from __future__ import annotations

from dataclasses import dataclass, field
from decimal import Decimal
from http import HTTPStatus
from typing import TYPE_CHECKING, Any
from uuid import UUID, uuid4

from flask import abort, current_app, redirect, render_template, request
from flask_babel import format_date
from wtforms import DecimalField, Form, IntegerField, StringField
from wtforms.validators import Optional

from scorer.errors import InvalidError, Problem, RefusedError
from scorer.games import all_games
from scorer.rules.options import merged
from scorer.rules.sheet import write
from scorer.services import circles
from scorer.services.clock import now
from scorer.services.rule_sets import find_rules
from scorer.services.sessions import NewSession, circle_begun_by, start_session
from scorer.services.state import load_state
from scorer.services.typed_text import one_line
from scorer.storage import queries
from scorer.texts import Text, say
from scorer.web import access
from scorer.web.deals.pages import session_url
from scorer.web.forms.fields import whole
from scorer.web.rule_sets.choosing import meant, offers, value_of
from scorer.web.sessions.pages import pages
from scorer.web.sessions.settling import warn_of_openings
from scorer.web.views import by_field

if TYPE_CHECKING:
    from collections.abc import Sequence

    from flask.typing import ResponseReturnValue
    from werkzeug.datastructures import MultiDict

    from scorer.rules.game import Game
    from scorer.services.rule_sets import OwnRules
    from scorer.services.state import SessionState
    from scorer.web.rule_sets.choosing import Meant

LAST = 99
MOST_EUROS = 1_000_000
MOVED = {
    "preset": "rules",
    "session.target": "target",
    "session.deals": "deals",
    "stake_cents": "stake",
    "seats": "players",
}


@dataclass(frozen=True, slots=True)
class Draft:
    """What was typed so far, or what the last session was like."""

    key: str
    circle_id: str = ""
    game: str = ""
    players: list[str] = field(default_factory=list)
    first_dealer: int = 0
    rules: str = ""
    end: str = "rules"
    target: str = ""
    deals: str = ""
    stake: str = ""
    title: str = ""
    opening: list[str] = field(default_factory=list)
    like: Text | None = None


@pages.get("/sessions/new")
def new() -> ResponseReturnValue:
    """Ask what the next session is: afresh, or the same as an earlier one."""
    circle_id = request.args.get("circle", type=UUID)
    _enter(circle_id)
    like = request.args.get("like", type=UUID)
    draft = _like(circle_id, like) if circle_id and like else _blank(circle_id)
    return _new_page(draft)


def _enter(circle_id: UUID | None) -> None:
    """Let this browser start a session in the circle, or begin one where that is open to all."""
    if circle_id is not None:
        access.enter(circle_id)
    elif current_app.config["PUBLIC_START"]:
        access.recognise()
    else:
        raise RefusedError(
            say("Whoever looks after this server begins its circles. Ask for a link into one."),
            say("New circles are closed"),
        )


def _blank(circle_id: UUID | None) -> Draft:
    """Begin with the game and the table that the address names, or with the first ones."""
    game = _game(request.args.get("game") or all_games()[0].slug)
    rules = request.args.get("rules", "")
    first = offers(circle_id, game)[0].value
    named = meant(circle_id, game, rules) is not None
    return Draft(str(uuid4()), str(circle_id or ""), game.slug, rules=rules if named else first)


def _like(circle_id: UUID, session_id: UUID) -> Draft:
    """The same people, rules and end as last time; whose deal it was then, deals first now.

    Who has retired meanwhile is left out. Of the circle's own rules the newest version is meant.
    """
    state = load_state(circle_id, session_id)
    names, dealer = _staying(state)
    session = write(state.rules).get("session", {})
    own = _newest(state)
    end = {"target": "points", "deals": "deals"}.get(str(session.get("end")), "open")
    return Draft(
        str(uuid4()),
        str(circle_id),
        state.game.slug,
        names,
        dealer,
        value_of(own.reference) if own else state.rules.slug,
        end,
        str(session.get("target") or ""),
        str(session.get("deals") or ""),
        _euros(state.row.stake_cents),
        like=_like_what(state, own),
    )


def _newest(state: SessionState) -> OwnRules | None:
    return find_rules(state.circle_id, state.rule_set[0]) if state.rule_set else None


def _like_what(state: SessionState, own: OwnRules | None) -> Text:
    """Say what the draft is like, and when the circle's rules have changed since."""
    if own is None or state.rule_set == own.reference:
        return say("The same as “%(title)s”", title=state.row.title)
    return say(
        "The same as “%(title)s”, by the newer version %(version)s of the table",
        title=state.row.title,
        version=own.version,
    )


def _staying(state: SessionState) -> tuple[list[str], int]:
    """Name those at the table who have not retired, and say which of them deals next."""
    retired = {p.player_id for p in queries.players(state.circle_id) if p.retired_at is not None}
    place = state.order.index(state.turn.dealer)
    around = state.order[place:] + state.order[:place]
    staying = [seat for seat in around if state.seats[seat].player_id not in retired]
    order = [seat for seat in state.order if seat in staying]
    return [state.names[seat] for seat in order], order.index(staying[0]) if staying else 0


def _euros(cents: int | None) -> str:
    return f"{Decimal(cents) / 100:.2f}" if cents else ""


def _new_page(draft: Draft, problems: Sequence[Problem] = ()) -> str:
    circle_id = UUID(draft.circle_id) if draft.circle_id else None
    game = _game(draft.game)
    found = offers(circle_id, game, draft.rules)
    return render_template(
        "sessions/new.html",
        circle=circles.find(circle_id) if circle_id else None,
        draft=draft,
        known=_known(circle_id),
        games=all_games(),
        offers=found,
        problems=by_field(problems, MOVED),
        max_players=max(count for offer in found for count in offer.counts),
        ends=hasattr(game.preset, "session"),
    )


def _known(circle_id: UUID | None) -> list[str]:
    if circle_id is None:
        return []
    players = queries.players_last_used_first(circle_id)
    return [player.name for player in players if player.retired_at is None]


def _game(slug: str) -> Game[Any, Any]:
    found = [game for game in all_games() if slug in (game.slug, *game.aliases)]
    return found[0] if found else abort(HTTPStatus.BAD_REQUEST)


@pages.post("/sessions/new")
def new_sent() -> ResponseReturnValue:
    """Start the session, and its circle where it has none."""
    form = SessionForm(request.form)
    draft, problems = read_draft(form, request.form)
    circle_id = UUID(draft.circle_id) if draft.circle_id else None
    _enter(circle_id)
    if problems:
        return _new_page(draft, problems), HTTPStatus.UNPROCESSABLE_ENTITY
    wanted = _wanted(draft, form, circle_id)
    try:
        started = start_session(wanted)
    except InvalidError as error:
        return _new_page(draft, error.problems), HTTPStatus.UNPROCESSABLE_ENTITY
    if started.phone_id is not None:
        access.remember(started.circle_id, started.phone_id)
    warn_of_openings(_game(draft.game), wanted.opening, wanted.stake_cents)
    return redirect(session_url(started.circle_id, started.session_id), HTTPStatus.SEE_OTHER)


class AmountField(DecimalField):
    """An amount of money, with a comma or a point."""

    def process_formdata(self, valuelist: list[str]) -> None:
        """Read the amount; a comma is as good as a point, NaN and the stars are no amounts."""
        super().process_formdata([value.strip().replace(",", ".") for value in valuelist])
        if self.data is not None and not (
            self.data.is_finite() and -MOST_EUROS < self.data < MOST_EUROS
        ):
            self.data = None
            raise ValueError(self.gettext("Not a valid decimal value."))


class SessionForm(Form):
    """The answers that are one field each; the players come as a list beside them."""

    key = StringField()
    circle = StringField()
    game = StringField()
    title = StringField()
    rules = StringField()
    end = StringField()
    target = IntegerField(validators=[Optional()])
    deals = IntegerField(validators=[Optional()])
    stake = AmountField(validators=[Optional()])
    first_dealer = IntegerField(validators=[Optional()])


def read_draft(form: SessionForm, sent: MultiDict[str, str]) -> tuple[Draft, list[Problem]]:
    """Read the form, keeping everything as it was typed beside what is wrong with it."""
    seated, first_dealer = _seated(sent, form.first_dealer.data)
    names, brought = sent.getlist("player"), dict(enumerate(sent.getlist("opening")))
    draft = Draft(
        key=_key(sent.get("key", "")),
        circle_id=_circle(sent.get("circle", "")),
        game=sent.get("game", ""),
        players=[names[index] for index in seated],
        first_dealer=first_dealer,
        rules=sent.get("rules", ""),
        end=sent.get("end", "rules"),
        target=sent.get("target", ""),
        deals=sent.get("deals", ""),
        stake=sent.get("stake", ""),
        title=sent.get("title", ""),
        opening=[brought.get(index, "") for index in seated] if "openings" in sent else [],
    )
    form.validate()
    problems = [
        Problem("wrong-type", name, say("A number is needed."))
        for name in ("target", "deals", "stake")
        if form.errors.get(name)
    ]
    wrong = [
        index for index, text in enumerate(draft.opening) if text.strip() and whole(text) is None
    ]
    needed = say("A whole number is needed.")
    return draft, problems + [Problem("wrong-type", f"opening.{n}", needed) for n in wrong]


def _seated(sent: MultiDict[str, str], dealer: int | None) -> tuple[list[int], int]:
    """List the rows that have names by their places, and find the dealer among them."""
    names = sent.getlist("player")
    places = [_place(place) for place in sent.getlist("place")]
    places += [LAST] * (len(names) - len(places))
    order = sorted(range(len(names)), key=lambda index: places[index])
    seated = [index for index in order if names[index].strip()]
    return seated, seated.index(dealer) if dealer in seated else 0


def _place(text: str) -> int:
    return int(text) if text.isdecimal() and len(text) < 3 else LAST


def _key(text: str) -> str:
    try:
        return str(UUID(text))
    except ValueError:
        abort(HTTPStatus.BAD_REQUEST)


def _circle(text: str) -> str:
    return _key(text) if text else ""


def _wanted(draft: Draft, form: SessionForm, circle_id: UUID | None) -> NewSession:
    stake, chosen = form.stake.data, meant(circle_id, _game(draft.game), draft.rules)
    key = UUID(draft.key)
    return NewSession(
        key=key,
        game=draft.game,
        rules=_rules(draft, form, chosen),
        players=draft.players,
        first_dealer=draft.first_dealer,
        title=one_line(draft.title) or title_of_today(),
        circle_id=circle_id,
        stake_cents=None if stake is None else round(stake * 100),
        rule_set=chosen.rule_set if chosen else None,
        opening=[whole(text) or 0 for text in draft.opening],
        phone_id=access.phone_to_begin(circle_begun_by(key)),
    )


def title_of_today() -> str:
    """What an evening is called that nobody gave a name: its day."""
    return str(format_date(now(), "EEEE d MMMM"))


def _rules(draft: Draft, form: SessionForm, chosen: Meant | None) -> dict[str, Any]:
    """The rules with the end that was chosen, and room for one more who sits out."""
    rules: dict[str, Any] = chosen.document if chosen else {"preset": draft.rules}
    if draft.end == "points":
        rules = merged(rules, {"session": {"end": "target", "target": form.target.data}})
    elif draft.end == "deals":
        rules = merged(rules, {"session": {"end": "deals", "deals": form.deals.data}})
    elif draft.end == "open":
        rules = merged(rules, {"session": {"end": "open"}})
    return _game(draft.game).rules_for(len(draft.players), rules)
