"""What is shown around of an evening: its picture, and its text for a chat."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from flask import Response, request
from flask_babel import gettext, ngettext

from scorer import charts
from scorer.rules.seats import Seat
from scorer.services.album.last_page import LastPage, TitleLine
from scorer.services.base.caching import Kept
from scorer.services.deals.sheet import chart_balances
from scorer.texts import Text, joined, say, signed
from scorer.web.base.filters import called, date, in_words, money
from scorer.web.figures.charts import drawn_answer

#: Pictures that a process keeps; one has some 100 kB.
MOST = 32
MEDALS = {1: "🥇", 2: "🥈", 3: "🥉"}

_pictures: Kept[bytes] = Kept(MOST)


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown(charts.Picture):
    """An evening as it is shown around: its picture, everybody under a name, money or none.

    ``hands`` say who hands what to whom: for all matches of the evening where ``joint`` is true.
    """

    won: str
    hands: tuple[str, ...]
    joint: bool

    @property
    def text(self) -> str:
        """The evening as a message for a chat."""
        places = [
            f"{MEDALS.get(one.place, f'{one.place}.')} {' & '.join(one.names)} {_figure(one)}"
            for one in self.people
        ]
        titles = [f"🏅 {name}: {of}" for name, of in self.titles]
        hands = [f"💶 {line}" for line in self.hands]
        if hands and self.joint:
            hands.insert(0, gettext("All matches of the evening together:"))
        parts = [[f"🃏 {self.heading}", self.below], places, titles, hands]
        return "\n\n".join("\n".join(part) for part in parts if part)


def won_by(names: Sequence[str]) -> Text:
    """Say who won: one, or several."""
    if len(names) == 1:
        return say("%(winner)s won.", winner=names[0])
    return say("%(winners)s won.", winners=joined(names))


def _figure(line: charts.PictureLine) -> str:
    return " · ".join(filter(None, (signed(line.running[-1]), line.money)))


def shown_evening(page: LastPage, *, names: bool = True, with_money: bool = True) -> Shown:
    """Put an evening into words, by full names or by initials, with money or without.

    By initials it is called by its game: a title may name somebody.
    """
    sheet, state = page.sheet, page.sheet.state
    known = _known(page, full=names)
    who = [known[name] for name in state.names]
    day = date(state.row.started_at)
    deals = ngettext("%(num)d deal played", "%(num)d deals played", sheet.played)
    heading = called(state.row) if names else in_words(state.game.name)
    parts = [day, in_words(state.game.name), deals] if names else [day, deals]
    people = _people(page, who, with_money=with_money)
    return Shown(
        heading=heading,
        below=" · ".join(parts),
        won=in_words(won_by([who[seat] for side in _winners(page) for seat in side])),
        people=people,
        titles=tuple((in_words(one.name), _told(one, who, names=names)) for one in page.titles),
        hands=tuple(
            f"{known[one.payer]} → {known[one.payee]} {money(one.cents)}"
            for one in (page.hands or () if with_money else ())
        ),
        joint=bool(page.together),
        names_format=gettext("%(names)s and %(last)s"),
        lower_is_better=state.lowest_leads,
    )


def _known(page: LastPage, *, full: bool) -> dict[str, str]:
    """Say under which name everybody is shown who played, or settles, on the evening."""
    settling = (name for one in page.hands or () for name in (one.payer, one.payee))
    names = list(dict.fromkeys([*page.sheet.state.names, *settling]))
    return dict(zip(names, names if full else initials(names), strict=True))


def _winners(page: LastPage) -> list[tuple[Seat, ...]]:
    """Give the sides that won: by the rules, or by the standings where it was ended by hand."""
    sheet = page.sheet
    if sheet.progress.finished:
        won = set(sheet.progress.winners)
        return [side for side in sheet.sides if set(side) <= won]
    sides = {side[0]: side for side in sheet.sides}
    return [sides[one.seat] for one in sheet.standings if one.place == 1]


def _people(
    page: LastPage, who: Sequence[str], *, with_money: bool
) -> tuple[charts.PictureLine, ...]:
    sheet, state = page.sheet, page.sheet.state
    sides = {side[0]: side for side in sheet.sides}
    lines = {side[0]: line for line, side in enumerate(sheet.sides)}
    balances = chart_balances(state)
    return tuple(
        charts.PictureLine(
            place=row.place,
            names=tuple(who[seat] for seat in sides[row.seat]),
            mark=state.marks[row.seat],
            running=balances.running(lines[row.seat]),
            money=money(row.cents) if with_money and row.cents is not None else "",
        )
        for row in sheet.standing_rows
    )


def _told(title: TitleLine, who: Sequence[str], *, names: bool) -> str:
    """Say of whom a title is told, and in what figure or deal; a deal in a line has full names."""
    holders = in_words(joined([who[seat] for seat, _ in title.holders]))
    if title.figure is not None:
        return f"{holders}, {in_words(title.figure)}"
    return in_words(title.told) if names and title.told else holders


def initials(names: Sequence[str]) -> list[str]:
    """Shorten names to so many first letters that no two are the same, or number them."""
    found = [f"{name[:1]}. {place}" for place, name in enumerate(names, start=1)]
    for place, name in enumerate(names):
        others = [other.casefold() for other in (*names[:place], *names[place + 1 :])]
        for length in range(1, max(2, len(name))):
            start = name[:length].casefold()
            if not any(other.startswith(start) for other in others):
                found[place] = f"{name[:length]}."
                break
    return found


def picture_answer(shown: Shown) -> Response:
    """Answer with the picture of an evening in the ``shape`` that the address asks for.

    What was drawn last is kept.
    """
    shape = "wide" if request.args.get("shape") == "wide" else "tall"

    def draw(theme: str) -> bytes:
        key = shown, shape, theme
        return _pictures.get(key, lambda: charts.evening_chart(shown, shape=shape, theme=theme))

    return drawn_answer((shown, shape), draw, "image/png")
