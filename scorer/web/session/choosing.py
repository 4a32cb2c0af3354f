"""Pages of the games and their tables; the rules that a form offers."""

from collections.abc import Iterable
from http import HTTPStatus
from typing import Any, NamedTuple
from uuid import UUID

from flask import abort, flash, render_template, request, url_for
from flask_babel import gettext, lazy_gettext
from wtforms import StringField

from scorer.errors import NotFoundError, UnknownGameError
from scorer.games import all_games, find_game
from scorer.routes import Routes
from scorer.rules.game import Game
from scorer.rules.options import Description, merged
from scorer.rules.questions import write
from scorer.rules.seats import all_seats
from scorer.services.session.house_rules import ChosenRules, read_own_choice, rules_in_use, value_of
from scorer.services.session.state import SessionState
from scorer.storage.models import MOST_AT_TABLE
from scorer.texts import Text, listed, say, signed
from scorer.typed_text import looks
from scorer.web.base.fields import whole
from scorer.web.base.filters import in_words
from scorer.web.base.forms import PageForm

pages = Routes("games", __name__, url_prefix="/rules")


class FindForm(PageForm):
    """A part of the name of a game."""

    find = StringField(lazy_gettext("Find a game"), default="")


@pages.get("/", kept=True)
def index() -> str:
    """List the games, or those whose name is looked for."""
    form = FindForm(request.args)
    typed = looks((form.find.data or "").strip())
    games = [game for game in all_games() if typed in looks(in_words(game.name))]
    return render_template("session/games.html", form=form, games=games)


@pages.get("/<slug>/", kept=True)
def show(slug: str) -> str:
    game = find_game(slug)
    presets = [game.describe(rules) for rules in game.presets.values()]
    return render_template("session/game.html", game=game, presets=presets)


@pages.get("/<slug>/<preset>/", kept=True)
def preset(slug: str, preset: str) -> str:
    game = find_game(slug)
    if preset not in game.presets:
        raise NotFoundError
    return render_template(
        "session/preset.html",
        game=game,
        preset=game.describe(game.presets[preset]),
        others=[game.describe(rules) for name, rules in game.presets.items() if name != preset],
    )


class RulesOffer(NamedTuple):
    """Rules to choose: the value sent for them, their name with its version, and their table.

    ``counts`` are the numbers of people that they allow, and ``waiting`` says for those with more
    people than play who sits out. ``kind`` is one of the game's kinds. With ``pairs`` nobody ever
    plays alone. They are proposed to so many people as are in ``best_for``.
    """

    value: str
    name: Text
    table: Description
    url: str
    counts: tuple[int, ...]
    waiting: tuple[tuple[int, Text], ...]
    kind: str
    pairs: bool
    best_for: tuple[int, ...]


def sent_game(slug: str | None) -> Game[Any, Any]:
    """Find the game that a form names; abort with 400 where there is none."""
    try:
        return find_game(slug or "")
    except UnknownGameError:
        abort(HTTPStatus.BAD_REQUEST)


def offers(circle_id: UUID | None, game: Game[Any, Any], chosen: str = "") -> list[RulesOffer]:
    """List rules to choose: the circle's own, also the ones chosen before, then the presets."""
    own = rules_in_use(circle_id, game.slug) if circle_id else []
    known = [rules.reference for rules in own]
    before = None if chosen in map(value_of, known) else read_own_choice(circle_id, chosen)
    if before is not None and before.game == game and before.reference not in known:
        own = [before, *own]
    presets = [
        _offer(game, rules, slug, None, url_for("games.preset", slug=game.slug, preset=slug))
        for slug, rules in game.presets.items()
    ]
    circles = []
    for rules in own:
        url = url_for(
            "rule_sets.show",
            circle_id=circle_id,
            rule_set_id=rules.row.rule_set_id,
            version=None if rules.row.version == rules.newest else rules.row.version,
        )
        circles.append(_offer(game, rules.rules, value_of(rules.reference), rules.row.version, url))
    return [*circles, *presets]


def _offer(
    game: Game[Any, Any], rules: Any, value: str, version: int | None, url: str
) -> RulesOffer:
    seating = game.seating(rules)
    counts = tuple(n for n in range(1, MOST_AT_TABLE + 1) if seating.fits(n))
    texts = ((n, game.who_sits_out(n, rules)) for n in counts)
    waiting = tuple((n, text) for n, text in texts if text is not None)
    table = game.describe(rules)
    name = table.name
    if version is not None:
        name = listed((name, say("version %(number)s", number=version)), between=" · ")
    return RulesOffer(
        value=value,
        name=name,
        table=table,
        url=url,
        counts=counts,
        waiting=waiting,
        kind=game.kind(rules),
        pairs=all(len(game.sides(all_seats(n), rules)) < n for n in seating.playing),
        best_for=tuple(n for n, slug in game.proposed.items() if slug == value),
    )


#: The place of whatever is none.
LAST = 99


def place_of(text: str | None) -> int:
    """Read a place in the order of play; other text comes last."""
    place = whole(text or "", digits=2)
    return LAST if place is None else place


#: The options of a rule set that say when the session ends.
END = "session"


def fitted(
    state: SessionState, chosen: ChosenRules, count: int, *, keep_end: bool = True
) -> ChosenRules:
    """Return rules fitted to the people of a session, and to its end if that is kept."""
    document, agreed = chosen.document, write(state.rules)
    if keep_end and END in agreed:
        document = merged(document, {END: agreed[END]})
    document = state.game.rules_for(count, document)
    rules, _ = state.game.rules_from(document)
    return ChosenRules(rules, document, chosen.rule_set)


def warn_of_openings(opening: Iterable[int], stake: int | None, *, lowest_leads: bool) -> None:
    """Flash a warning if balances brought in don't cancel out and are paid in money."""
    total = sum(opening)
    if total and stake and not lowest_leads:
        flash(
            gettext(
                "The balances brought in make %(sum)s together, not 0: when you settle up, "
                "that much is owed by nobody or goes to nobody.",
                sum=signed(total),
            ),
            "problem",
        )
