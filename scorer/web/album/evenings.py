"""The picture of an evening, the text that is sent, and its public page.

Whoever has the page's address sees it, chat robots too: the secret is in its path, because robots
get no fragment (`scorer.routes`).
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from flask import Response, render_template, request
from flask.typing import ResponseReturnValue
from flask_babel import get_locale, gettext, ngettext

from scorer import charts
from scorer.errors import ConflictError, NotFoundError, existing
from scorer.games import stored_game
from scorer.languages import LANGUAGES
from scorer.ledger.titles import NAMES
from scorer.routes import Routes, address_of
from scorer.rules.seats import Seat
from scorer.services.album import last_page as public_pages
from scorer.services.album.last_page import GameMatches, LastPage, TitleLine, last_page
from scorer.services.circle import circles
from scorer.services.deals.score_sheet import ScoreSheet, chart_balances
from scorer.services.tournament.page import tournament_page
from scorer.storage.models import PublicPage
from scorer.texts import Text, joined, point_count, say, signed
from scorer.web.base.access import short_name, use_circle_formats
from scorer.web.base.choices import speaking
from scorer.web.base.filters import called, date, in_words, money
from scorer.web.figures.charts import drawn_answer

pages = Routes("public", __name__, url_prefix="/evening/<secret>")


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedEvening(charts.Picture):
    """An evening as it is shared: with short names or initials, with or without money.

    ``hands`` has who pays whom how much; if ``joint`` is true, for all matches of the evening.
    ``deal`` is the deal of the evening in words, or "". ``why`` is what decided where it was not
    the points: that all others are out, or a deal that wins the match.
    """

    game: str
    won: str
    why: str
    hands: tuple[str, ...]
    joint: bool
    deal: str

    @property
    def standings(self) -> str:
        """The game, and everybody with their points: ``Scopa: Ada and Ciro 11, Bea and Dora 7``."""
        lines = (
            f"{in_words(joined(line.names))}\N{NO-BREAK SPACE}{self.points(line)}"
            + (f" ({line.more})" if line.more else "")
            for line in self.people
        )
        return f"{self.game}: {', '.join(lines)}."

    @property
    def result(self) -> str:
        """Who won, and by how much where one person or side did and the points say so."""
        if self.why:
            return f"{self.won} {self.why}"
        first, *others = self.people
        points = [line.running[-1] for line in self.people]
        ahead = points[0] - points[1] if others else 0
        ahead = -ahead if self.lower_is_better else ahead
        if ahead <= 0 or self.won != in_words(won_by(first.names)):
            return self.won
        margin, second = point_count(ahead), joined(others[0].names)
        if len(first.names) == 1:
            text = say("%(winner)s won, %(margin)s ahead of %(second)s.", winner=first.names[0])
        else:
            text = say(
                "%(winners)s won, %(margin)s ahead of %(second)s.", winners=joined(first.names)
            )
        return in_words(Text(text.template, {**text.values, "margin": margin, "second": second}))


def evening_text(page: LastPage, *, names: bool = True, url: str = "") -> str:
    """Write an evening as a person does in a chat, without money, with its address if it has one.

    All matches of the evening are in it, game by game: whoever won most of them won the evening.
    """
    shown, known = shared_evening(page, names=names, with_money=False), _known(page, full=names)
    lines, result = [shown.standings], shown.result
    if page.together:
        lines = [_matches(game, known) for game in page.together]
        result = in_words(_result_of_all(page.together, known))
    told = [f"{shown.heading}. {result}", "", *lines, ""]
    if shown.deal:
        told.append(in_words(say("The deal of the evening – %(deal)s.", deal=shown.deal)))
    titles = [title for title in shown.titles if title[1] != shown.deal]
    told += [
        in_words(Text("%(title)s: %(of)s.", {"title": name, "of": of})) for name, of in titles[:1]
    ]
    return "\n".join([*told, *(["", url] if url else [])])


def _matches(of_game: GameMatches, known: Mapping[str, str]) -> str:
    """Write the matches of a game as one line: what each came to, or how many each won."""
    people = (
        f"{known[name]}\N{NO-BREAK SPACE}{signed(row.points) if of_game.by_balance else row.won}"
        for name, row in of_game.people
    )
    return f"{in_words(of_game.game)}: {', '.join(people)}."


def _result_of_all(games: Sequence[GameMatches], known: Mapping[str, str]) -> Text:
    first = Counter(known[name] for game in games for name, row in game.people if row.place == 1)
    most = max(first.values(), default=0)
    winners = [name for name in first if first[name] == most]
    if len(games) == 1:
        return won_by(winners)
    values = {"winners": joined(winners), "won": most, "games": len(games)}
    return say("%(winners)s: %(won)s games of %(games)s.", **values)


def won_by(names: Sequence[str]) -> Text:
    if len(names) == 1:
        return say("%(winner)s won.", winner=names[0])
    return say("%(winners)s won.", winners=joined(names))


def shared_evening(page: LastPage, *, names: bool = True, with_money: bool = True) -> SharedEvening:
    """Return an evening with full names or initials, with or without money.

    With initials its heading is the game, because a title may name somebody.
    """
    sheet, state = page.sheet, page.sheet.state
    known = _known(page, full=names)
    who = [known[name] for name in state.names]
    day = date(state.row.started_at)
    deals = ngettext("%(num)d deal played", "%(num)d deals played", sheet.state.evening.played)
    game = in_words(state.game.name_in(state.row.rules))
    heading = called(state.row) if names else game
    of_one_deal = {title.name.template: title.deal_text for title in page.titles}
    best = of_one_deal.get(NAMES["best"].template) or of_one_deal.get(NAMES["daring"].template)
    parts = [day, deals] if heading == game else [day, game, deals]
    people = _people(page, who, with_money=with_money)
    return SharedEvening(
        game=game,
        deal=in_words(best or "") if names else "",
        heading=heading,
        below=" · ".join(parts),
        won=in_words(won_by([who[seat] for side in _winners(page) for seat in side])),
        why=_why_not_by_points(sheet),
        people=people,
        titles=tuple(
            (in_words(title.name), _title_words(title, who, names=names)) for title in page.titles
        ),
        hands=tuple(
            f"{known[transfer.payer]} → {known[transfer.payee]} {money(transfer.cents)}"
            for transfer in (page.hands or () if with_money else ())
        ),
        joint=bool(page.together),
        names_format=gettext("%(names)s and %(last)s"),
        lower_is_better=state.lowest_leads,
        counted=state.counted,
    )


def _known(page: LastPage, *, full: bool) -> dict[str, str]:
    """Return the shown name of everybody who plays or settles on the evening, by full name."""
    settling = (name for transfer in page.hands or () for name in (transfer.payer, transfer.payee))
    together = (name for game in page.together for name, _ in game.people)
    names = list(dict.fromkeys([*page.sheet.state.names, *settling, *together]))
    return dict(
        zip(names, [short_name(name) for name in names] if full else initials(names), strict=True)
    )


def _winners(page: LastPage) -> list[tuple[Seat, ...]]:
    """Return the sides that won: by the rules, or by the standings if ended by hand."""
    state, progress = page.sheet.state, page.sheet.progress
    if progress.finished:
        return [side for side in state.sides if set(side) <= set(progress.winners)]
    sides = {side[0]: side for side in state.sides}
    return [sides[row.seat] for row in state.ranked if row.place == 1]


def _why_not_by_points(sheet: ScoreSheet) -> str:
    """Return the rule by which it ended if the second is behind by it, and not by points."""
    second = sheet.standing_rows[1:2]
    by_rule = any(row.seat in sheet.state.evening.behind for row in second)
    return in_words(sheet.progress.why) if by_rule and sheet.progress.why else ""


def _people(
    page: LastPage, who: Sequence[str], *, with_money: bool
) -> tuple[charts.PictureLine, ...]:
    sheet, state = page.sheet, page.sheet.state
    sides = {side[0]: side for side in state.sides}
    lines = {side[0]: line for line, side in enumerate(state.sides)}
    balances, points = chart_balances(state).lines, sheet.progress.victory_points or {}
    return tuple(
        charts.PictureLine(
            place=row.place,
            names=tuple(who[seat] for seat in sides[row.seat]),
            mark=state.marks[row.seat],
            running=balances[lines[row.seat]].balances,
            more=" · ".join(
                [in_words(say("%(points)s VP", points=points[s])) for s in points if s == row.seat]
                + [money(cents) for cents in [row.cents] if with_money and cents is not None]
            ),
        )
        for row in sheet.standing_rows
    )


def _title_words(title: TitleLine, who: Sequence[str], *, names: bool) -> str:
    """Return the holders of a title with its figure or deal, whose line has full names."""
    holders = in_words(joined([who[seat] for seat, _ in title.holders]))
    if title.figure is not None:
        return f"{holders}, {in_words(title.figure)}"
    return in_words(title.deal_text) if names and title.deal_text else holders


def initials(names: Sequence[str]) -> list[str]:
    """Shorten names to the fewest letters that differ, or else number them."""
    short = [f"{name[:1]}. {place}" for place, name in enumerate(names, start=1)]
    for place, name in enumerate(names):
        others = [other.casefold() for other in (*names[:place], *names[place + 1 :])]
        for length in range(1, max(2, len(name))):
            start = name[:length].casefold()
            if not any(other.startswith(start) for other in others):
                short[place] = f"{name[:length]}."
                break
    return short


def first_letters(names: Sequence[str]) -> dict[str, str]:
    """Shorten each of many names to the first letters of its words, later ones with a number."""
    counts, short = Counter[str](), {}
    for name in dict.fromkeys(names):
        letters = "".join(f"{word[:1]}." for word in name.split())
        counts[letters] += 1
        short[name] = letters if counts[letters] == 1 else f"{letters} {counts[letters]}"
    return short


def evening_picture(shown: SharedEvening) -> Response:
    shape = "wide" if request.args.get("shape") == "wide" else "tall"
    return drawn_answer((shown, shape), partial(charts.evening_chart, shown, shape=shape))


def _open(secret: str) -> SharedEvening:
    """Return the evening that a secret opens; raise NotFoundError while it is played on."""
    page = public_pages.open_page(secret)
    if page.session_id is None:
        raise NotFoundError
    use_circle_formats(circles.find(page.circle_id))
    try:
        last = last_page(page.circle_id, page.session_id)
    except ConflictError as error:
        raise NotFoundError from error
    return shared_evening(last, names=page.names, with_money=page.money)


def _language() -> str:
    language = request.args.get("language", "")
    return language if language in LANGUAGES else get_locale().language


@pages.get("/", limit=("secret", "picture"))
def evening(secret: str) -> ResponseReturnValue:
    with speaking(_language()):
        picture = {"secret": secret, "language": _language()}
        page = public_pages.open_page(secret)
        if page.tournament_id is not None:
            return _tournament(page, picture)
        shown = _open(secret)
        return render_template(
            "album/public.html",
            shown=shown,
            picture=picture,
            picture_url=address_of("public.picture", shape="wide", **picture),
            address=address_of("public.evening", **picture),
        )


def _tournament(public: PublicPage, address: Mapping[str, str]) -> str:
    """Show a tournament: standings, seating and results."""
    use_circle_formats(circles.find(public.circle_id))
    page = tournament_page(public.circle_id, existing(public.tournament_id))
    people = [person for entry in page.evening.entries for person in entry.people]
    known = dict(zip(people, people, strict=True)) if public.names else first_letters(people)
    return render_template(
        "tournament/public.html",
        page=page,
        evening=page.evening,
        game=stored_game(page.evening.game).name,
        known=known,
        prizes=page.prizes if public.names else [],
        picture=address,
    )


@pages.get("/picture.png", limit=("secret", "picture"))
def picture(secret: str) -> ResponseReturnValue:
    with speaking(_language()):
        return evening_picture(_open(secret))
