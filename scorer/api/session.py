"""Sessions for programs: begun, changed, ended; who sits where, by which rules; house rules."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from operator import itemgetter
from typing import Annotated, Any, NamedTuple
from uuid import UUID

from scorer.api.answers import Authored, Page, listed
from scorer.api.circles import session as session_document
from scorer.api.deals import by_name
from scorer.api.routes import SESSION, CircleRoutes, Query
from scorer.evening.deal import Timer
from scorer.evening.session_acts import TIMED, Change, End, PlayOn, Sign
from scorer.roles import Holder, Role
from scorer.rules.questions import Ask
from scorer.rules.questions import write as written_rules
from scorer.rules.seats import MOST_SEATS
from scorer.services.deals.what_if import RescoredDeal, RulesWhatIf, rules_what_if
from scorer.services.session import house_rules, sessions
from scorer.services.session.house_rules import RulesAnswer
from scorer.services.session.state import SessionState, load_state
from scorer.services.session.writing import do
from scorer.shapes import GameSlug, Name, Points, RuleOverrides, Shape, gives
from scorer.texts import say

blueprint = CircleRoutes("api_session", __name__)
PEN = Role.SCOREKEEPER
OTHER_RULES = Query(
    "rules",
    str,
    "A preset, or ID.VERSION of the circle's own rules; left out, those of the next deal.",
    wanted=say("A preset of the game is needed, or the circle's own rules as ID.VERSION."),
)
VERSION = Query("version", int, "The number of the version; left out, the newest.")


class OwnRulesReference(Shape):
    """A version of the circle's own rules."""

    id: UUID = gives("The key of the rules.", itemgetter(0))
    version: int = gives("The number of the version.", itemgetter(1))


def _texts(names: object) -> list[str]:
    """Return the names of a list in a body; its other items are refused later."""
    texts = [name for name in names if isinstance(name, str)] if isinstance(names, list) else []
    return texts[:MOST_SEATS]


@blueprint.writes(
    "post",
    "/<uuid:circle>/sessions",
    session_document,
    body=sessions.NewSession,
    names=lambda _, sent: _texts(sent.get("players")),
    gives="session",
    least=PEN,
    limit=("start",),
)
def begin_session(circle: UUID, body: sessions.NewSession, by: Holder) -> UUID:
    """Begin a session, once for each key."""
    game = house_rules.known_game(body.game)
    rules, rule_set = body.fitted(circle, game, len(body.players))
    new = replace(body, circle_id=circle, game=game.slug, rules=rules, rule_set=rule_set)
    return sessions.start_session(new, by=by).session_id


OF_SESSION: dict[str, Any] = {"then": session_document, "least": PEN}
blueprint.writes("put", f"{SESSION}/title", **OF_SESSION)(sessions.rename_session)
blueprint.writes("put", f"{SESSION}/stake", **OF_SESSION)(sessions.set_stake)


class TurnTimer(Shape):
    """The timer of a turn, which ends nothing by itself."""

    minutes: int = gives("How long the turn is.")
    since: datetime = gives("From when the minutes count; each pause moves it on.")
    paused: datetime | None = gives("Since when it stands; null while it runs.")
    up: datetime = gives("When it is up, unless it stands until then.")


class SessionTimer(Shape):
    """The timer of a session."""

    timer: TurnTimer | None = gives("The timer; null where there is none.", lambda timer: timer)


@blueprint.reads(f"{SESSION}/timer", SessionTimer)
def timer(circle: UUID, session: UUID) -> Timer | None:
    """Return the timer of a session's turn."""
    return load_state(circle, session).evening.timer


for _act in (End, PlayOn, Sign):
    _rule = f"{SESSION}/{_act.name}"
    blueprint.does(_act, _rule, do, session_document, f"{_act.name}_session")
for _timer in TIMED:
    _rule = f"{SESSION}/{_timer.name}"
    blueprint.does(_timer, _rule, do, timer, _timer.name.replace("-", "_"))


@dataclass(frozen=True, slots=True, kw_only=True)
class FollowingGame(RulesAnswer):
    """What the same people play next."""

    game: Annotated[str | None, Ask("The game; left out, the same one")] = None


NEXT: dict[str, Any] = {**OF_SESSION, "body": FollowingGame, "gives": "session"}


@blueprint.writes("post", f"{SESSION}/next", **NEXT, limit=("start",))
def begin_next_match(circle: UUID, session: UUID, body: FollowingGame, by: Holder) -> UUID:
    """Go on with the same people after a session that is over, once."""
    state = load_state(circle, session)
    game = state.game if body.game is None else house_rules.known_game(body.game)
    rules, rule_set = body.found(circle)
    if rules is not None:
        rules, rule_set = body.fitted(circle, game, len(state.order))
    return sessions.start_next_match(
        circle, session, game=game.slug, rules=rules, rule_set=rule_set, by=by
    )


class SessionTable(Shape):
    """Who sits where and by which rules from the next deal on."""

    seen: int = gives("What a change of the table sends back.", "row.written")
    next_number: int = gives("The number of the next deal.", "row.next_number")
    dealer: Name = gives("Who deals it.", lambda state: state.names[state.evening.turn.dealer])
    seats: list[Name] = gives("Who is there, in order of play.", lambda s: _named(s, s.order))
    left: list[Name] = gives(
        "Who has left.", lambda s: [n for seat, n in enumerate(s.names) if seat not in s.order]
    )
    sits_out: list[Name] = gives("Who sits it out.", lambda s: _named(s, s.table().sits_out))
    out: list[Name] = gives("Who is out by the rules.", lambda s: _named(s, s.out))
    rules: RuleOverrides = gives("The rules.", lambda state: written_rules(state.rules))
    own_rules: OwnRulesReference | None = gives(
        "The version of the circle's own rules, if they are that.", "evening.terms.rule_set"
    )


def _named(state: SessionState, seats: Iterable[int]) -> list[str]:
    return [state.names[seat] for seat in seats]


@blueprint.reads(f"{SESSION}/table", SessionTable)
def table(circle: UUID, session: UUID) -> SessionState:
    """Return who sits where and by which rules from the next deal on."""
    return load_state(circle, session)


@dataclass(frozen=True, kw_only=True)
class TableChange(Change, RulesAnswer):
    """Other seats or rules from a deal on, by default the next one."""

    seen: Annotated[int, Ask("What the table was read with")] = field()


def _at_table(args: Mapping[str, UUID], sent: Any) -> list[str]:
    """List the names of a session by seat, then those of new guests in a body."""
    names, guests = load_state(args["circle"], args["session"]).names, sent.get("guests")
    sound = isinstance(guests, list) and all(isinstance(guest, dict) for guest in guests)
    new = _texts([guest.get("name") for guest in guests]) if sound else []
    return [*names, *(name for name in new if name not in names)]


@blueprint.writes(
    "post",
    f"{SESSION}/table",
    table,
    body=TableChange,
    names=_at_table,
    least=Change.least,
    limit=Change.limit,
)
def change_table(circle: UUID, session: UUID, body: TableChange, by: Holder) -> None:
    """Change seats or rules from a deal on; deals already played are paid again."""
    document, rule_set = body.found(circle)
    do(circle, session, replace(body, rules=document, rule_set=rule_set), by=by)


class Compared(NamedTuple):
    """Balances, or payouts of a deal, as they are and by other rules."""

    state: SessionState
    what: RulesWhatIf | RescoredDeal


class BothWays(Shape):
    """Points as they are and by other rules."""

    now: Points = gives("The points as they are.", lambda of: by_name(of.state, of.what.now))
    then: Points = gives("Those by the other rules.", lambda of: by_name(of.state, of.what.then))


class OtherDeal(BothWays):
    """A deal that differs by other rules, or can't be played by them."""

    number: int = gives("The number of the deal.", "what.deal.number")
    refusal: str | None = gives("Why it can't be played by them.", "what.refusal")


class RulesComparison(BothWays):
    """A session as it is and by other rules."""

    finished_number: int | None = gives(
        "The deal that would have ended the session.", "what.finished_number"
    )
    deals: list[OtherDeal] = gives(
        "The deals that differ.",
        lambda of: [Compared(of.state, deal) for deal in of.what.deals if deal.differs],
    )


@blueprint.reads(f"{SESSION}/what-if", RulesComparison, OTHER_RULES, limit=("what-if",))
def what_if(circle: UUID, session: UUID, named: str | None) -> Compared:
    """Return a session as it is and by other rules, with the deals that differ."""
    state = load_state(circle, session)
    chosen = house_rules.read_choice(circle, state.game, named) if named else state
    if chosen is None:
        raise OTHER_RULES.refusal
    return Compared(state, rules_what_if(state, chosen.rules))


class OwnRuleSet(Authored):
    """Rules of the circle's own, in one version."""

    id: UUID = gives("The key of the rules.", "row.rule_set_id")
    game: GameSlug = gives("The game.", "row.game")
    name: str = gives("What they are called.", "row.name")
    version: int = gives("The number of the version.", "row.version")
    newest: int = gives("The number of the newest version.")
    retired_at: datetime | None = gives("When they were put away.", "row.retired_at")
    rules: RuleOverrides = gives("The rules.", "document")


@blueprint.reads("/<uuid:circle>/rules", listed("rule_sets", OwnRuleSet))
def own_rules(circle: UUID) -> Page:
    """List the circle's own rules by name."""
    return Page(house_rules.own_rules(circle))


OWN = "/<uuid:circle>/rules/<uuid:rule_set>"
blueprint.reads(OWN, OwnRuleSet, VERSION, name="own_rule_set")(house_rules.find_rules)
OF_RULES: dict[str, Any] = {"then": house_rules.find_rules, "least": PEN}
blueprint.writes("post", "/<uuid:circle>/rules", **OF_RULES, gives="rule_set")(
    house_rules.keep_rules
)
blueprint.writes("put", OWN, **OF_RULES, name="edit_rules")(house_rules.save_version)
blueprint.writes("post", f"{OWN}/retire", **OF_RULES)(house_rules.retire_rules)


@blueprint.writes("post", f"{OWN}/bring-back", **OF_RULES)
def bring_back_rules(circle: UUID, rule_set: UUID, by: Holder) -> None:
    """Offer rules again."""
    house_rules.retire_rules(circle, rule_set, retired=False, by=by)
