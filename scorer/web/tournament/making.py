"""The page of a new tournament: game and rules, who plays, the plan, what a table is worth."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from http import HTTPStatus
from types import MappingProxyType
from typing import Any, ClassVar, Self, cast
from uuid import UUID, uuid4

from flask import redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_babel import gettext, lazy_gettext
from wtforms import BooleanField, HiddenField, SelectMultipleField, StringField, TextAreaField
from wtforms.validators import InputRequired, Length, ValidationError

from scorer.errors import InvalidError, Problem
from scorer.games import all_games
from scorer.roles import Role
from scorer.routes import Routes
from scorer.rules.game import Game
from scorer.rules.options import merged
from scorer.rules.questions import questions
from scorer.rules.seats import all_seats
from scorer.services.circle.circles import NAME
from scorer.services.circle.players import offered_names
from scorer.services.deals.history import games_played
from scorer.services.session.house_rules import read_choice
from scorer.services.tournament import tournaments
from scorer.services.tournament.page import near_names, usual_pairs
from scorer.services.tournament.tournaments import NewTournament
from scorer.texts import say
from scorer.tournaments.club import ClubEvening
from scorer.tournaments.facts import SINGLE, PlanKind, PointsKind, TieBreak, by_lot
from scorer.tournaments.tournament import PlanRoom, plan_room
from scorer.typed_text import looks, one_line
from scorer.web.base import access, fields
from scorer.web.base.forms import PageForm
from scorer.web.base.pages import CIRCLE
from scorer.web.session import choosing

pages = Routes("tournaments", __name__)
TOURNAMENT = f"{CIRCLE}/tournaments/<uuid:tournament_id>"


def tournament_url(circle_id: UUID, tournament_id: UUID) -> str:
    return url_for("tournaments.show", circle_id=circle_id, tournament_id=tournament_id)


#: What stands between two partners on a line.
BETWEEN = re.compile(r"\s*[,;&+/\t]\s*|\s+(?:-|e|ed|and)\s+")
LONGEST_LIST = 20_000
#: What stands between the two of a pair that is tapped, and what looks at the list.
PAIR, LOOK = "\t", "look"
NOBODY: Mapping[str, Sequence[str]] = MappingProxyType({})
#: How many single players can sit at a table.
TABLE_SIZES = range(3, 7)
MOST_TURNS = 20

PLANS = {
    PlanKind.MITCHELL: say("Mitchell: one side of each table stays, the other moves on"),
    PlanKind.DANISH: say("Danish: neighbours in the standings meet, and nobody twice"),
    PlanKind.ROUND_ROBIN: say("Everybody meets everybody"),
    PlanKind.KNOCKOUT: say("Knockout: who loses is out"),
    PlanKind.GROUPS: say("Groups, and then a knockout"),
    PlanKind.INDIVIDUAL: say("Everybody for themselves, with a new partner each turn"),
    PlanKind.TABLES: say("Tables of single players, always with others"),
}
POINTS = {
    "result": say("3 for a table that is won, 1 for a draw"),
    "three-deals": say("Victory points of burraco, for three deals"),
    "four-deals": say("Victory points of burraco, for four deals"),
    "scores": say("What is scored, added up"),
    "places": say("5, 4, 3, 2, 1 by the place at the table"),
}
TIE_WORDS = {
    TieBreak.DIFFERENCE: say("The difference of the scores"),
    TieBreak.HEAD_TO_HEAD: say("The meetings of those who are level"),
    TieBreak.OPPONENTS: say("The points of the opponents"),
    TieBreak.SCORED: say("What was scored"),
    TieBreak.CONCEDED: say("What was scored against them"),
    TieBreak.WINS: say("The tables that they won"),
    TieBreak.LOT: say("The lot"),
}
#: Those that can be chosen to come first; then the difference, what was scored and the lot decide.
TIES = {tie: TIE_WORDS[tie] for tie in [*TIE_WORDS][:3]}
PEOPLE = {"2": say("Pairs"), "1": say("Single players")}


class TournamentForm(PageForm):
    """A tournament before its first turn."""

    shown_at: ClassVar[Mapping[str, str]] = {
        "people": "names",
        "entries": "names",
        "preset": "rules",
        "session.deals": "deals",
        "plan.kind": "plan",
        "plan.rounds": "rounds",
        "plan.groups": "groups",
        "plan.through": "groups",
        "plan.size": "rules",
        "points.kind": "points",
    }

    key = fields.UUIDField(validators=[InputRequired()])
    game = HiddenField(default="")
    name = fields.LineField(lazy_gettext("Name"), NAME)
    rules = fields.OpenChoiceField(lazy_gettext("Rules"))
    deals = fields.WholeField(lazy_gettext("Deals at each table (empty: as the rules say)"))
    people = fields.ChoiceField(lazy_gettext("Who plays together"), None, PEOPLE, default="2")
    known = SelectMultipleField(validate_choice=False)
    pairs = SelectMultipleField(validate_choice=False)
    #: Who of the circle is meant by a typed name, or the name itself for somebody new.
    person = fields.PrefixedField()
    action = StringField(default="")
    names = TextAreaField(lazy_gettext("Names"), [Length(max=LONGEST_LIST)], default="")
    plan = fields.ChoiceField(lazy_gettext("The plan"), None, PLANS, default=PlanKind.MITCHELL)
    rounds = fields.WholeField(lazy_gettext("Turns (empty: as many as fit)"))
    groups = fields.WholeField(lazy_gettext("Groups"), default=2)
    lot = BooleanField(lazy_gettext("Seats by lot, not in the order of the list"), default=True)
    points = fields.ChoiceField(
        lazy_gettext("What a table is worth"), None, POINTS, default="result"
    )
    ties = fields.ChoiceField(
        lazy_gettext("What decides between those on the same points"),
        *(None, TIES),
        default="difference",
    )

    def validate_rounds(self, field: fields.WholeField) -> None:
        """Refuse more turns than an evening has."""
        if field.data is not None and not 1 <= field.data <= MOST_TURNS:
            raise ValidationError(lazy_gettext("From 1 to 20 turns."))

    @property
    def kind(self) -> PlanKind:
        return PlanKind(self.plan.chosen or PlanKind.MITCHELL)

    @property
    def size(self) -> int:
        """How many people an entry is."""
        return 1 if self.kind in SINGLE else int(self.people.chosen or "2")

    def entries(self) -> list[list[str]]:
        """Return the names of each entry; who was named alone is paired by lot."""
        return self._entries(self.size)

    def _entries(self, size: int) -> list[list[str]]:
        meant = self.person.data
        named = [[meant.get(name, name) for name in names] for names in self.named()]
        if size == 1:
            return [[name] for names in named for name in names]
        alone = [names[0] for names in named if len(names) == 1]
        drawn = by_lot(alone, str(self.key.data))
        paired = [drawn[place : place + 2] for place in range(0, len(drawn), 2)]
        return [*(names for names in named if len(names) > 1), *paired]

    def named(self) -> list[list[str]]:
        """Return the names of each line as typed, and those of the chips that no line has.

        Who is alone on a line and in a pair that was tapped is in that pair.
        """
        split = (BETWEEN.split(line) for line in (self.names.data or "").splitlines())
        lines = [[name for name in map(one_line, names) if name] for names in split]
        pairs = [pair.split(PAIR) for pair in self.pairs.data or ()]
        paired = {looks(name) for pair in pairs for name in pair}
        typed = {looks(name) for names in lines for name in names} | paired
        alone = [[one_line(name)] for name in self.known.data or () if looks(name) not in typed]
        kept = (names for names in lines if len(names) != 1 or looks(names[0]) not in paired)
        return [names for names in (*kept, *pairs, *alone) if names]

    def rooms(self, game: Game[Any, Any], rules: Any) -> dict[str, PlanRoom]:
        """Return how many turns fit by each plan, for those who are named."""
        size = int(self.people.chosen or "2")
        count = {1: len(self._entries(1)), size: len(self._entries(size))}
        rooms = {
            kind.value: plan_room(
                self._plan(kind, game, rules), count[1 if kind in SINGLE else size]
            )
            for kind in PLANS
        }
        return {kind: room for kind, room in rooms.items() if room}

    def says_who(self, near: Mapping[str, Sequence[str]]) -> bool:
        """Whether it says who is meant by each name that is near others; else ask at the names."""
        open_names = near.keys() - self.person.data.keys()
        if open_names:
            self.names.errors = [
                gettext("Some of these look like people of the circle: who is it?")
            ]
        return not open_names

    def settings(self, game: Game[Any, Any], rules: Any) -> dict[str, Any]:
        """Return the plan, the points and the ties as the document has them."""
        points, named = self.points.chosen, {"three-deals", "four-deals"}
        worth = {"kind": PointsKind.VICTORY.value, "table": points}
        first = [self.ties.chosen or "difference"]
        ties = dict.fromkeys([*first, "difference", "scored", "lot"])
        return {
            "plan": self._plan(self.kind, game, rules),
            "points": worth if points in named else {"kind": points or "result"},
            "ties": [*ties],
        }

    def _plan(self, kind: PlanKind, game: Game[Any, Any], rules: Any) -> dict[str, Any]:
        plan: dict[str, Any] = {"kind": kind.value, "draw": "lot" if self.lot.data else "order"}
        if self.rounds.data is not None:
            plan["rounds"] = self.rounds.data
        if kind is PlanKind.DANISH:
            plan["repeat"] = "never"
        if kind is PlanKind.GROUPS:
            plan |= {"groups": self.groups.data or 2, "then": {"kind": "knockout"}}
        if kind is PlanKind.TABLES:
            counts = [count for count in game.seating(rules).playing if count in TABLE_SIZES]
            alone = [n for n in counts if len(game.sides(all_seats(n), rules)) == n]
            plan["size"] = max(alone or counts or TABLE_SIZES)
        return plan

    @classmethod
    def of(cls, evening: ClubEvening, key: UUID) -> Self:
        """Fill in the plan, the points and the ties of a tournament."""
        settings = evening.settings
        plan, points = settings["plan"], settings.get("points") or {}
        ties = settings.get("ties") or []
        return cls(
            key=key,
            plan=plan["kind"],
            rounds=plan.get("rounds"),
            groups=plan.get("groups", 2),
            lot=plan.get("draw") == "lot",
            points=points.get("table") or points.get("kind", "result"),
            ties=ties[0] if ties else "difference",
            people=str(evening.people),
        )

    def refuse(self, problems: Iterable[Problem]) -> None:
        """Show each problem; those of an entry or of a part of the plan at their field."""
        super().refuse(
            replace(problem, field="entries") if problem.field.startswith("entries") else problem
            for problem in problems
        )


@pages.get(f"{CIRCLE}/tournaments", least=Role.SPECTATOR)
def index(circle_id: UUID) -> str:
    """List the tournaments of a circle."""
    return render_template(
        "tournament/tournaments.html", tournaments=tournaments.tournaments(circle_id)
    )


@pages.get(f"{CIRCLE}/tournaments/new", least=Role.SCOREKEEPER)
def new(circle_id: UUID) -> str:
    """Show the form of a new tournament."""
    played = games_played(circle_id) or all_games()
    game = choosing.sent_game(request.args.get("game", played[0].slug))
    presets = choosing.offers(circle_id, game)
    rules = "three-deals" if "three-deals" in game.presets else presets[0].value
    form = TournamentForm(
        key=uuid4(),
        game=game.slug,
        rules=rules,
        points="three-deals" if rules == "three-deals" else "result",
    )
    return _page(circle_id, form, game)


def _page(
    circle_id: UUID,
    form: TournamentForm,
    game: Game[Any, Any],
    near: Mapping[str, Sequence[str]] = NOBODY,
) -> str:
    chosen = read_choice(circle_id, game, form.rules.data)
    return render_template(
        "tournament/new.html",
        form=form,
        game=game,
        games=all_games(),
        known=offered_names(circle_id),
        usual=[(PAIR.join(pair), pair) for pair in usual_pairs(circle_id)],
        near=near,
        entries=form.entries(),
        rooms=form.rooms(game, chosen.rules) if chosen and form.named() else {},
        offers=choosing.offers(circle_id, game, form.rules.data),
    )


@pages.post(f"{CIRCLE}/tournaments/new", least=Role.SCOREKEEPER, limit="start")
def new_sent(circle_id: UUID) -> ResponseReturnValue:
    form = TournamentForm(request.form)
    game = choosing.sent_game(form.game.data)
    near = near_names(circle_id, (name for names in form.named() for name in names))
    if form.action.data == LOOK:
        return _page(circle_id, form, game, near)

    def make() -> None:
        made, by = _wanted(circle_id, form, game), access.current_holder()
        tournaments.make_tournament(circle_id, made, by=by)

    if form.validate() and form.says_who(near) and form.attempt(make):
        address = tournament_url(circle_id, cast("UUID", form.key.data))
        return redirect(address, HTTPStatus.SEE_OTHER)
    return _page(circle_id, form, game, near), HTTPStatus.UNPROCESSABLE_ENTITY


def _wanted(circle_id: UUID, form: TournamentForm, game: Game[Any, Any]) -> NewTournament:
    """Return the tournament that the form describes; raise InvalidError."""
    chosen = read_choice(circle_id, game, form.rules.data)
    if chosen is None:
        message = say("Choose the rules.")
        raise InvalidError.of("unknown-preset", "rules", message)
    document = chosen.document
    if form.deals.data is not None:
        document = merged(document, _end_after(game, form.deals.data))
    return NewTournament(
        key=cast("UUID", form.key.data),
        name=form.name.data or "",
        game=game.slug,
        rules=document,
        settings=form.settings(game, chosen.rules),
        people=form.size,
        entries=form.entries(),
    )


def _end_after(game: Game[Any, Any], deals: int) -> dict[str, Any]:
    """Return the options by which a table ends after so many deals; raise InvalidError."""
    options = {question.name: question for question in questions(type(game.preset))}
    if "session" in options:
        return {"session": {"end": "deals", "deals": deals, "tie": "shared"}}
    if "deals" not in options:
        message = say("This game doesn’t end after some deals: leave that empty.")
        raise InvalidError.of("out-of-range", "deals", message)
    optional = "target" in options and options["target"].optional
    return {"deals": deals, **({"target": None} if optional else {})}
