"""The page of a new session: its players, their order, the rules, the end."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import replace
from http import HTTPStatus
from typing import Any, ClassVar
from uuid import UUID, uuid4, uuid5

from flask import abort, current_app, g, redirect, render_template, request
from flask.typing import ResponseReturnValue
from flask_babel import gettext, lazy_gettext
from wtforms import BooleanField, Form, HiddenField, StringField

from scorer.errors import InvalidError, Problem, RefusedError, refuse
from scorer.games import all_games
from scorer.roles import Role
from scorer.rules.game import Game
from scorer.rules.match import SessionEnd
from scorer.rules.options import merged
from scorer.rules.questions import Reading, read
from scorer.rules.seats import Seat, all_seats, named
from scorer.services.circle.circles import NAME
from scorer.services.circle.players import join_order, marks_to_be, offered_names
from scorer.services.deals.history import games_played
from scorer.services.session import sessions
from scorer.services.session.house_rules import read_choice, value_of
from scorer.services.session.seating import Lots, draw_lots, next_seed
from scorer.texts import Text, say
from scorer.typed_text import one_line
from scorer.web.base import access, fields
from scorer.web.base.filters import in_words
from scorer.web.base.forms import PageForm, field_for
from scorer.web.base.pages import pages, session_url
from scorer.web.session import choosing

#: A table without a name of its own is called as its rules are.
GAME_NAME = replace(NAME, blank=True)
#: How many players the form asks for before anybody is known.
EMPTY_ROWS = 5
#: How many rules the page shows at first.
NEAR = 3
ENDS = {
    "rules": say("As the rules say"),
    "points": say("At a target"),
    "deals": say("After some deals"),
    "open": say("When we stop"),
}


class PlayerRow(Form):
    """Somebody who plays: the name, the place in the order of play, the balance brought in."""

    player = StringField(default="")
    place = StringField(default="")
    opening = fields.WholeField()


class NewSessionForm(PageForm):
    """The settings of a session before its first deal."""

    shown_at: ClassVar[Mapping[str, str]] = {
        "preset": "rules",
        "name": "called",
        "session.target": "target",
        "session.deals": "deals",
        "seats": "players",
        "opening": "openings",
    }

    key = field_for(sessions.NewSession, "key")
    circle = fields.UUIDField()
    zone = HiddenField(default="")
    game = HiddenField(default="")
    players = fields.RowsField(PlayerRow)
    first_dealer = fields.OpenChoiceField(default="0")
    lots = HiddenField(default="")
    openings = BooleanField(lazy_gettext("Balances from before"))
    kind = fields.OpenChoiceField()
    rules = fields.OpenChoiceField()
    called = fields.LineField(lazy_gettext("Name of the game"), GAME_NAME)
    end = fields.OpenChoiceField(lazy_gettext("It ends"), words=ENDS, default="rules")
    target = fields.WholeField(lazy_gettext("Balance to reach"))
    deals = fields.WholeField(lazy_gettext("Number of deals"))
    stake = field_for(sessions.NewSession, "stake")
    title = field_for(sessions.NewSession, "title")

    @property
    def seated(self) -> list[PlayerRow]:
        named = [row for row in self.players.data if (row.player.data or "").strip()]
        return sorted(named, key=lambda row: choosing.place_of(row.place.data))

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(one_line(row.player.data or "") for row in self.seated)

    @property
    def dealer(self) -> Seat:
        chosen = fields.whole(self.first_dealer.data or "")
        rows, seated = self.players.data, self.seated
        if chosen is None or not 0 <= chosen < len(rows) or rows[chosen] not in seated:
            return Seat(0)
        return Seat(seated.index(rows[chosen]))

    @property
    def brought(self) -> dict[Seat, int]:
        """The balances brought in, by seat; empty unless the form has them."""
        rows = self.seated if self.openings.data else []
        return {Seat(seat): row.opening.data or 0 for seat, row in enumerate(rows)}

    def take(self, lots: Lots, *, seats: bool) -> None:
        """Seat everybody by lot, or only let the one deal whom the lot names."""
        rows = dict(zip(self.names, self.seated, strict=True))
        for place, name in enumerate(lots.seats if seats else (), start=1):
            rows[name].place.data = str(place)
        self.first_dealer.data = str(self.players.data.index(rows[lots.dealer]))
        self.lots.data = lots.seed

    def rows(self, count: int) -> list[PlayerRow]:
        """Return the rows of the form: one for each player, and blank ones."""
        return [*self.seated[:count], *(PlayerRow() for _ in range(count - len(self.seated)))]

    def validate(self, extra_validators: Mapping[str, Any] | None = None) -> bool:
        sound = [row.validate() for row in self.seated] if self.openings.data else []
        return super().validate(extra_validators) and all(sound)


@pages.get("/sessions/new", least=Role.SCOREKEEPER)
def new() -> ResponseReturnValue:
    """Show the form of a new session, empty or filled in from an earlier one."""
    query = NewSessionForm(request.args)
    circle_id = query.circle.data
    _enter(circle_id)
    like = request.args.get("like", type=UUID)
    if circle_id and like:
        again = sessions.same_again(circle_id, like)
        form = NewSessionForm(
            key=uuid4(),
            circle=circle_id,
            game=again.row.game,
            players=[{"player": name} for name in again.players],
            first_dealer=str(again.first_dealer),
            stake=again.row.stake_cents,
            **_agreed(again),
        )
        return _page(form, again)
    game = choosing.sent_game(query.game.data or all_games()[0].slug)
    proposal = {"rules": query.rules.data}
    picked = read_choice(circle_id, game, query.rules.data) is not None
    if not picked:
        proposal, picked = _proposal(circle_id, game, query.kind.data)
    if game.named_by_session and proposal["rules"] in game.presets:
        proposal = {"end": "open", **proposal}
    form = NewSessionForm(key=uuid4(), circle=circle_id, game=game.slug, data=proposal)
    return _page(form, picked=picked)


def _proposal(
    circle_id: UUID | None, game: Game[Any, Any], kind: str
) -> tuple[dict[str, Any], bool]:
    """Propose the rules of the circle's last session of a game, or else the first ones of a kind.

    The second value is whether they are those of a session.
    """
    offered = choosing.offers(circle_id, game)
    last = sessions.last_of_game(circle_id, game.slug) if circle_id and not kind else None
    agreed = _agreed(last) if last else {}
    if agreed.get("rules") in [offer.value for offer in offered]:
        return agreed, True
    first = next((offer for offer in offered if offer.kind == kind), offered[0])
    return {"rules": first.value}, False


def _agreed(again: sessions.SameAgain) -> dict[str, Any]:
    """Return the rules and the end of an earlier session, as values of the form."""
    return {
        "rules": value_of(again.rule_set) if again.rule_set else again.preset,
        "end": {"target": "points", "deals": "deals"}.get(str(again.end), "open"),
        "target": again.target,
        "deals": again.deals,
        "called": again.called,
    }


def _enter(circle_id: UUID | None) -> None:
    """Authorise the phone in the circle of the session, or a browser that may create a circle."""
    if circle_id is not None:
        access.enter(circle_id)
    elif current_app.config["PUBLIC_START"]:
        access.browser_token()
    else:
        raise RefusedError(
            say("On this server only its operator creates circles. Ask for a link into one."),
            say("New circles are closed"),
        )


def _page(
    form: NewSessionForm,
    like: sessions.SameAgain | None = None,
    *,
    picked: bool = True,
    lots: Lots | None = None,
) -> str:
    """Show the form; ``picked`` says whether its rules were chosen, now or in a session before.

    ``lots`` are those that were drawn just now.
    """
    circle_id = form.circle.data
    game = choosing.sent_game(form.game.data)
    offered = choosing.offers(circle_id, game, form.rules.data)
    if game.named_by_session:
        form.target.label.text = gettext("Points to reach")
    if game.named_by_session and all(offer.value in game.presets for offer in offered):
        form.end.choices = [choice for choice in form.end.choices if choice[0] != "rules"]
    first = [game, *(games_played(circle_id) if circle_id else ())]
    order, known = join_order(circle_id), offered_names(circle_id) if circle_id else []
    # A script adds places and rules where they are needed; without one a link shows all of them.
    whole = request.method == "POST" or "all" in request.args
    most = max(count for offer in offered for count in offer.counts)
    shown = min(most, max(1 if known else EMPTY_ROWS, len(form.names) + 1))
    rows = form.rows(most if whole else shown)
    g.marks = marks_to_be([one_line(row.player.data or "") for row in rows], order)
    return render_template(
        "session/new.html",
        form=form,
        like=like,
        picked=picked,
        rows=rows,
        shown=shown,
        most=most,
        whole=whole,
        order=order,
        known=known,
        games=list(dict.fromkeys(first)),
        others=[other for other in all_games() if other not in first],
        offers=offered,
        near=[
            offer
            for place, offer in enumerate(offered)
            if whole or place < NEAR or offer.value == form.rules.data
        ],
        waiting=_waiting(offered),
        others_fit=_others_that_fit(len(form.names), form.rules.data, offered),
        kinds=game.kinds,
        kind=form.kind.data
        or next((offer.kind for offer in offered if offer.value == form.rules.data), ""),
        named=game.named_by_session,
        ends=game.named_by_session or hasattr(game.preset, "session"),
        lots=lots,
        partners=_partners(form, game) if lots else [],
    )


def _partners(form: NewSessionForm, game: Game[Any, Any]) -> list[Text]:
    """List who plays together by the chosen rules, where the seats decide that."""
    chosen, count = read_choice(form.circle.data, game, form.rules.data), len(form.names)
    if chosen is None or count not in game.seating(chosen.rules).playing:
        return []
    sides = game.sides(all_seats(count), chosen.rules)
    return [named(side, form.names) for side in sides if len(side) > 1]


def _waiting(offered: list[choosing.RulesOffer]) -> list[tuple[int, str, list[int]]]:
    """List who sits out of so many people, with the places of the rules that say so."""
    texts = defaultdict[tuple[int, str], list[int]](list)
    for place, offer in enumerate(offered):
        for count, text in offer.waiting:
            texts[count, in_words(text)].append(place)
    return [(count, text, places) for (count, text), places in texts.items()]


def _others_that_fit(count: int, chosen: str, offered: list[choosing.RulesOffer]) -> list[Text]:
    """Suggest rules for this number of players, if the chosen ones are not for it."""
    wanted = next((offer for offer in offered if offer.value == chosen), None)
    if wanted is None or not count or count in wanted.counts:
        return []
    return [
        offer.name for offer in offered if count in offer.counts and offer.kind in {"", wanted.kind}
    ]


@pages.post("/sessions/new", least=Role.SCOREKEEPER, limit="start")
def new_sent() -> ResponseReturnValue:
    form = NewSessionForm(request.form)
    sound = form.validate()
    if form.key.errors or form.circle.errors:
        abort(HTTPStatus.BAD_REQUEST)
    _enter(form.circle.data)
    if by_lot := request.form.get("by_lot"):
        return _by_lot(form, seats=by_lot == "seats")
    if not sound:
        return _page(form), HTTPStatus.UNPROCESSABLE_ENTITY
    try:
        wanted = _wanted(form)
        by = access.current_holder() if wanted.circle_id else None
        started = sessions.start_session(wanted, by=by)
    except InvalidError as error:
        form.refuse(error.problems)
        return _page(form), HTTPStatus.UNPROCESSABLE_ENTITY
    if started.phone_id is not None:
        access.remember(started.circle_id, started.phone_id)
    game = choosing.sent_game(wanted.game)
    rules, _ = game.rules_from(wanted.rules)
    choosing.warn_of_openings(
        wanted.opening.values(), wanted.stake, lowest_leads=game.leads_lowest(rules)
    )
    return redirect(session_url(started.circle_id, started.session_id), HTTPStatus.SEE_OTHER)


def _by_lot(form: NewSessionForm, *, seats: bool) -> ResponseReturnValue:
    """Show the form with the seats and the first dealer drawn by lot, or only the dealer."""
    if not form.names:
        form.refuse([Problem("seats-count", "players", say("Write down who plays."))])
        return _page(form), HTTPStatus.UNPROCESSABLE_ENTITY
    seed = next_seed(form.circle.data, form.key.data or uuid4(), form.lots.data or "")
    lots = draw_lots([*form.names], seed)
    form.take(lots, seats=seats)
    return _page(form, lots=lots)


def _own_end(end: Mapping[str, Any]) -> dict[str, Any]:
    """Return the end as a game has it whose sessions have their own; raise InvalidError."""
    reading = Reading()
    if own := read(SessionEnd, end, reading, "session"):
        own.check(reading, "session")
    refuse(reading.problems)
    return {"target": end.get("target"), "deals": end.get("deals")} if end else {}


def _wanted(form: NewSessionForm) -> sessions.NewSession:
    """Return the settings in the form; refuse rules of another kind than the chosen one."""
    key, circle_id = form.key.data or uuid4(), form.circle.data
    begun = sessions.circle_begun_by(key)
    game, kind = choosing.sent_game(form.game.data), form.kind.data
    chosen = read_choice(circle_id, game, form.rules.data)
    if chosen is not None and kind and game.kind(chosen.rules) not in ("", kind):
        message = say("These rules bid otherwise than you said at the top: choose one of the two.")
        raise InvalidError.of("other-kind", "rules", message)
    rules = chosen.document if chosen else {"preset": form.rules.data}
    ends: dict[str, dict[str, Any]] = {
        "points": {"end": "target", "target": form.target.data},
        "deals": {"end": "deals", "deals": form.deals.data},
        "open": {"end": "open"},
    }
    end = ends.get(form.end.data, {})
    name = GAME_NAME.read(form.called.data or "", "called")
    if game.named_by_session:
        more = _own_end(end) | ({"name": name} if name else {})
    else:
        more = {"session": end} if end else {}
    return sessions.NewSession(
        key=key,
        game=form.game.data or "",
        rules=game.rules_for(len(form.seated), merged(rules, more) if more else rules),
        players=form.names,
        first_dealer=form.dealer,
        title=one_line(form.title.data or "") or name,
        circle_id=circle_id,
        zone=form.zone.data or "",
        stake=form.stake.data,
        rule_set=chosen.rule_set if chosen else None,
        opening=form.brought,
        lots=form.lots.data or "",
        phone_id=access.known_phones().get(begun) or uuid5(begun, access.browser_token()),
    )
