"""Sessions for programs: begun, changed, ended; who sits where, by which rules; house rules."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any
from uuid import UUID

from flask import request

from scorer.api.answers import argument, spoken, written
from scorer.api.circles import session as session_document
from scorer.api.deals import by_name
from scorer.api.routes import SESSION, CircleRoutes, Key, Rules
from scorer.evening.session_acts import Change, End, Guest, NewRules, NewSeats, PlayOn, SessionAct
from scorer.roles import Holder, Role
from scorer.rules.seats import MOST_SEATS, Seat
from scorer.rules.sheet import write as written_rules
from scorer.services.base.clock import moment
from scorer.services.deals.what_if import rules_what_if
from scorer.services.session import house_rules, sessions
from scorer.services.session.acts import do
from scorer.services.session.state import SessionState, load_state
from scorer.texts import say

blueprint = CircleRoutes("api_session", __name__)
PEN = Role.SCOREKEEPER
RULES_WANTED = say("A preset of the game is needed, or the circle's own rules as ID.VERSION.")


@dataclass(frozen=True, slots=True)
class RulesReference:
    """A version of the circle's own rules, by default the newest."""

    id: Key
    version: int | None = None


def _rules(
    circle: UUID, rules: Any, own: RulesReference | None
) -> tuple[Any, tuple[UUID, int] | None]:
    """Return rules as a document, and their version if they are the circle's own."""
    if own is None:
        return rules, None
    found = house_rules.find_rules(circle, own.id, own.version)
    return found.document, found.reference


@dataclass(frozen=True, slots=True)
class SessionStart:
    """A session to begin: ``opening`` are balances brought in, ``stake`` is in cents a point."""

    key: Key
    game: str
    players: tuple[str, ...]
    rules: Rules | None = None
    own_rules: RulesReference | None = None
    first_dealer: Seat = Seat(0)
    opening: Mapping[Seat, int] = field(default_factory=dict)
    title: str = ""
    stake: int | None = None


def _texts(names: object) -> list[str]:
    """Return the names of a list in a body; its other items are refused later."""
    texts = [name for name in names if isinstance(name, str)] if isinstance(names, list) else []
    return texts[:MOST_SEATS]


@blueprint.writes(
    "post",
    "/<uuid:circle>/sessions",
    SessionStart,
    session_document,
    names=lambda _, sent: _texts(sent.get("players")),
    least=PEN,
    limit=("start",),
)
def begin_session(circle: UUID, body: SessionStart, by: Holder) -> dict[str, UUID]:
    """Begin a session, once for each key."""
    game, count = house_rules.known_game(body.game), len(body.players)
    document, rule_set = _rules(circle, body.rules or {}, body.own_rules)
    preset = {"preset": document} if isinstance(document, str) else document
    new = sessions.NewSession(
        key=body.key,
        game=game.slug,
        rules=game.rules_for(count, preset) if isinstance(preset, dict) else preset,
        players=body.players,
        first_dealer=body.first_dealer,
        title=body.title,
        circle_id=circle,
        stake_cents=body.stake,
        rule_set=rule_set,
        opening=[body.opening.get(Seat(seat), 0) for seat in range(count)] if body.opening else (),
    )
    return {"session": sessions.start_session(new, by=by).session_id}


@dataclass(frozen=True, slots=True)
class NewTitle:
    """The title of a session; empty for that of its day."""

    title: str


@dataclass(frozen=True, slots=True)
class NewStake:
    """What a point is worth, in cents; null where nobody plays for money."""

    stake: int | None


OF_SESSION: dict[str, Any] = {"then": session_document, "least": PEN}
blueprint.writes("put", f"{SESSION}/title", NewTitle, **OF_SESSION)(sessions.rename_session)
blueprint.writes("put", f"{SESSION}/stake", NewStake, **OF_SESSION)(sessions.set_stake)


def _declare(kind: type[SessionAct]) -> None:
    """Let programs do an act that asks nothing."""

    def view(circle: UUID, session: UUID, by: Holder) -> None:
        do(circle, session, kind(), by=by)

    view.__doc__ = kind.__doc__
    declare = blueprint.writes(
        "post",
        f"{SESSION}/{kind.name}",
        None,
        session_document,
        name=f"{kind.name}_session",
        least=kind.least,
        limit=kind.limit,
    )
    declare(view)


for _kind in (End, PlayOn):
    _declare(_kind)


@blueprint.writes("post", f"{SESSION}/next", None, **OF_SESSION, limit=("start",))
def begin_next_match(circle: UUID, session: UUID, by: Holder) -> dict[str, UUID]:
    """Begin the next match of the same people after a session that is over, once."""
    return {"session": sessions.start_next_match(circle, session, by=by)}


@blueprint.reads(f"{SESSION}/table", "Table")
def table(circle: UUID, session: UUID) -> dict[str, Any]:
    """Return who sits where and by which rules from the next deal on."""
    state = load_state(circle, session)
    names, rule_set = state.names, state.evening.terms.rule_set
    return {
        "seen": state.row.written,
        "next_number": state.row.next_number,
        "dealer": names[state.evening.turn.dealer],
        "seats": [names[seat] for seat in state.order],
        "left": [name for seat, name in enumerate(names) if seat not in state.order],
        "sits_out": [names[seat] for seat in state.table().sits_out],
        "out": [names[seat] for seat in state.out],
        "rules": written_rules(state.rules),
        "own_rules": rule_set and {"id": str(rule_set[0]), "version": rule_set[1]},
    }


@dataclass(frozen=True, slots=True)
class NewGuest:
    """Somebody who joins a session, with the balance brought in."""

    name: str
    opening: int = 0


@dataclass(frozen=True, slots=True)
class TableChange:
    """Other seats or rules from a deal on, by default the next one.

    ``seats`` are all at the table in order of play, guests included. ``sits_out`` and ``dealer``
    are null where the rules decide. ``seen`` and ``next_number`` are those of the table as read.
    """

    seen: int
    next_number: int
    from_number: int | None = None
    until_number: int | None = None
    seats: tuple[Seat, ...] | None = None
    sits_out: tuple[Seat, ...] | None = None
    dealer: Seat | None = None
    guests: tuple[NewGuest, ...] = ()
    by_place: bool = False
    rules: Rules | None = None
    own_rules: RulesReference | None = None
    reason: str = ""

    def new_seats(self, order: Sequence[int]) -> NewSeats | None:
        """Return the seats; the order stays if only who sits out or deals was chosen."""
        if (self.seats, self.sits_out, self.dealer) == (None, None, None):
            return None
        guests = [Guest(guest.name, guest.opening) for guest in self.guests]
        seats = order if self.seats is None else self.seats
        return NewSeats(seats, self.sits_out, self.dealer, guests, by_place=self.by_place)


def _at_table(args: Mapping[str, UUID], sent: Any) -> list[str]:
    """List the names of a session by seat, then those of new guests in a body."""
    names, guests = load_state(args["circle"], args["session"]).names, sent.get("guests")
    sound = isinstance(guests, list) and all(isinstance(guest, dict) for guest in guests)
    new = _texts([guest.get("name") for guest in guests]) if sound else []
    return [*names, *(name for name in new if name not in names)]


@blueprint.writes(
    "post",
    f"{SESSION}/table",
    TableChange,
    table,
    names=_at_table,
    least=Change.least,
    limit=Change.limit,
)
def change_table(circle: UUID, session: UUID, body: TableChange, by: Holder) -> None:
    """Change seats or rules from a deal on; deals already played are paid again."""
    order = load_state(circle, session).order
    document, rule_set = _rules(circle, body.rules, body.own_rules)
    change = Change(
        from_number=body.next_number if body.from_number is None else body.from_number,
        next_number=body.next_number,
        rules=None if document is None else NewRules(document, rule_set),
        seats=body.new_seats(order),
        until_number=body.until_number,
        reason=body.reason,
        seen=body.seen,
    )
    do(circle, session, change, by=by)


def _other_rules(state: SessionState, text: str) -> Any:
    """Read the rules that an address names; raise ValueError if there are none."""
    chosen = house_rules.read_choice(state.circle_id, state.game, text)
    if chosen is None:
        raise ValueError(text)
    return chosen.rules


@blueprint.reads(f"{SESSION}/what-if", "WhatIf", "OtherRules", limit=("what-if",))
def what_if(circle: UUID, session: UUID) -> dict[str, Any]:
    """Return a session as it is and by other rules, with the deals that differ."""
    state = load_state(circle, session)
    rules = argument("rules", partial(_other_rules, state), RULES_WANTED)
    shown = rules_what_if(state, rules or state.rules)
    return {
        "now": by_name(state, shown.now),
        "then": by_name(state, shown.then),
        "finished_number": shown.finished_number,
        "deals": [
            {
                "number": deal.deal.number,
                "now": by_name(state, deal.now),
                "then": by_name(state, deal.then),
                "refusal": spoken(deal.refusal),
            }
            for deal in shown.deals
            if deal.refusal is not None or deal.then != deal.now
        ],
    }


@blueprint.reads("/<uuid:circle>/rules", "OwnRuleSetList")
def own_rules(circle: UUID) -> dict[str, Any]:
    """List the circle's own rules by name."""
    return {"rule_sets": list(map(_listed, house_rules.own_rules(circle))), "next": None}


@blueprint.reads("/<uuid:circle>/rules/<uuid:rule_set>", "OwnRuleSet", "Version")
def own_rule_set(circle: UUID, rule_set: UUID) -> dict[str, Any]:
    """Return rules of the circle as their newest version says, or another one."""
    reading = request.method in {"GET", "HEAD"}
    version = request.args.get("version", type=int) if reading else None
    return _listed(house_rules.find_rules(circle, rule_set, version))


def _listed(own: house_rules.OwnRules) -> dict[str, Any]:
    return {
        "id": str(own.row.rule_set_id),
        "game": own.row.game,
        "name": own.row.name,
        "version": own.row.version,
        "newest": own.newest,
        "retired_at": own.row.retired_at and moment(own.row.retired_at),
        "rules": own.document,
        **written(own.row),
    }


@dataclass(frozen=True, slots=True)
class NewRuleSet:
    """Rules that a circle wants to keep."""

    key: Key
    game: str
    name: str
    rules: Rules


@dataclass(frozen=True, slots=True)
class RuleSetEdit:
    """The next version of the circle's own rules, after the one that was seen."""

    version: int
    name: str
    rules: Rules


OWN = "/<uuid:circle>/rules/<uuid:rule_set>"


@blueprint.writes("post", "/<uuid:circle>/rules", NewRuleSet, own_rule_set, least=PEN)
def keep_rules(_circle: UUID, body: NewRuleSet, by: Holder) -> dict[str, UUID]:
    """Keep rules of the circle's own, once for each key."""
    game = house_rules.known_game(body.game)
    return {"rule_set": house_rules.keep_rules(body.key, game, body.name, body.rules, by)}


@blueprint.writes("put", OWN, RuleSetEdit, own_rule_set, least=PEN)
def edit_rules(_circle: UUID, rule_set: UUID, body: RuleSetEdit, by: Holder) -> None:
    """Write the next version of the circle's own rules."""
    house_rules.save_version(rule_set, body.version, body.name, body.rules, by)


blueprint.writes("post", f"{OWN}/retire", None, own_rule_set, least=PEN)(house_rules.retire_rules)


@blueprint.writes("post", f"{OWN}/bring-back", None, own_rule_set, least=PEN)
def bring_back_rules(circle: UUID, rule_set: UUID, by: Holder) -> None:
    """Offer rules again."""
    house_rules.retire_rules(circle, rule_set, retired=False, by=by)
