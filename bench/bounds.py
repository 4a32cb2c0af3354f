"""What a table needs: pages, writes, charts, starts, memory, the check of a deal."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random
from time import perf_counter

from bench import years
from bench.browsers import Browser
from bench.figures import Figure, memory, times
from bench.phones import Phone
from bench.places import Place
from bench.years import Years
from scorer.documents import decode, encode
from scorer.operations import check
from scorer.roles import Role
from scorer.services.circle import circles
from tests.games.tables import play, record_of
from tests.serving import Server
from tests.storage.conftest import opened
from tests.web.phones import PLAYED

SHORT, SESSIONS, LONG, LARGE = 20, 20, 2_000, 10_000
WARMING, ROUNDS, STARTS, CHARTS = 10, 100, 3, 30
#: What a page may take in milliseconds: of a short session, and of a long one or a large circle.
PAGE, LARGE_PAGE = 50, 100
#: Pages of a circle of many deals.
OF_A_CIRCLE = {
    "circle": "",
    "calls of a player": "deals/?player={player}&role=calls",
    "rating": "players/{player}/rating",
    "journal": "journal",
    "ledger": "ledger",
    "last page of an evening": "sessions/{session}/last",
}
Taken = dict[str, float]


@dataclass(frozen=True, slots=True)
class Filled:
    """Sessions of few deals, one of many, a circle of still more with an open session; links."""

    short: list[str]
    long: str
    large: Years
    evening: str
    links: list[str]

    @property
    def player(self) -> str:
        """Where a page of a player is."""
        return f"{self.large.path}players/{self.large.player_id}/"

    def browser(self, site: str) -> Browser:
        """Return a browser that is in both circles."""
        browser = Browser(site)
        for link in self.links:
            browser.join(link)
        return browser


def bounds(place: Place) -> Iterator[Figure]:
    """Hold what people wait for to what nobody feels."""
    with place.database() as url:
        with opened(url):
            filled = fill()
        with place.running(url, 2) as here:
            browser = filled.browser(here.url)
            yield from _pages(here, browser, filled)
        yield from _starts(place, url, browser, filled)
    yield _checked()


def fill() -> Filled:
    """Play what is looked at."""
    random, large = Random(0), years.play(LARGE)
    few = circles.join(circles.begin_circle("Sessions"), {})
    *short, long = (
        f"/circles/{few.circle_id}/sessions/{years.open_evening(few, random, deals)}/"
        for deals in (*(SHORT for _ in range(SESSIONS)), LONG)
    )
    evening = f"{large.path}sessions/{years.open_evening(large.by, random, SHORT)}/"
    links = [circles.make_link(by.circle_id, "Bench", Role.OWNER) for by in (few, large.by)]
    return Filled(short, long, large, evening, links)


def _pages(here: Server, browser: Browser, filled: Filled) -> Iterator[Figure]:
    """Open pages and record deals in an order that changes from round to round."""
    random = Random(0)
    short = [_recorder(browser, path, SHORT) for path in filled.short]
    long = _recorder(browser, filled.long, LONG)
    evening = _recorder(browser, filled.evening, SHORT)
    asked: list[Callable[[int], Taken]] = [
        lambda number: _evening(short[number % SESSIONS], SHORT),
        lambda _: _evening(long, LONG),
        lambda _: _after(evening, filled),
        lambda _: {"deal page": browser.seconds(f"{filled.short[0]}deals/1/")},
        lambda _: _looking_back(browser, filled.large),
    ]
    taken: dict[str, list[float]] = {}
    for number in range(-WARMING, ROUNDS):
        for ask in random.sample(asked, len(asked)):
            for name, second in ask(number).items():
                taken.setdefault(name, []).extend([second] if number >= 0 else [])
    for width in range(CHARTS):
        browser.seconds(f"{filled.long}chart.svg?width={600 + width}")
    for name, seconds in taken.items():
        large = f"{LONG:,}" in name or name in {"player, after a deal", *OF_A_CIRCLE}
        yield times(name, seconds, LARGE_PAGE if large and "record" not in name else PAGE)
    most = max(memory(here.workers()))
    yield Figure(f"memory of a worker, {LARGE:,} deals", most, "MB", most=100)


def _recorder(browser: Browser, path: str, deals: int) -> Phone:
    """Return a phone that records the next deals of a session."""
    there = browser.at(path)
    return Phone(there, there.filled_in("record", "/record", **PLAYED), deals + 1)


def _evening(phone: Phone, deals: int) -> Taken:
    """Open the page of a session, record a deal, open it again."""
    before = phone.browser.seconds()
    phone.record(2 + phone.number % 117)
    assert not phone.refused
    return {
        f"session page, {deals:,} deals": before,
        f"record a deal after {deals:,}": phone.seconds[-1],
        f"session page after a deal, {deals:,} deals": phone.browser.seconds(),
    }


def _after(phone: Phone, filled: Filled) -> Taken:
    """Record a deal in a circle of many, and open what sums them."""
    phone.record(2 + phone.number % 117)
    assert not phone.refused
    return {
        "player, after a deal": phone.browser.seconds(filled.player),
        "history, after a deal": phone.browser.seconds(f"{filled.large.path}deals/"),
    }


def _looking_back(browser: Browser, large: Years) -> Taken:
    keys = {"player": large.player_id, "session": large.session_id}
    return {
        name: browser.seconds(large.path + path.format(**keys))
        for name, path in OF_A_CIRCLE.items()
    }


def _starts(place: Place, url: str, browser: Browser, filled: Filled) -> Iterator[Figure]:
    """Start servers of one worker: how long it takes, and what a page takes that is its first."""
    firsts = {"session": (filled.short[0], 150), "player": (filled.player, 1_500)}
    starts: list[float] = []
    for name, (path, most) in firsts.items():
        taken: list[float] = []
        for _ in range(STARTS):
            began = perf_counter()
            with place.running(url, 1) as here:
                starts.append(perf_counter() - began)
                browser.site = here.url
                taken.append(browser.seconds(path))
        worst = f"worst of {STARTS}"
        yield Figure(f"first page of a process, {name}", 1_000 * max(taken), "ms", most, note=worst)
    worst = f"worst of {len(starts)}"
    yield Figure("start until /health answers", max(starts), "s", most=3, note=worst)
    with place.running(url, 1) as here:
        browser.site = here.url
        yield from _charts(browser, filled)


def _charts(browser: Browser, filled: Filled) -> Iterator[Figure]:
    """Draw charts of new widths, each of them twice."""
    for path, deals in ((filled.short[1], SHORT), (filled.long, LONG)):
        browser.seconds(f"{path}chart.svg")
        charts = [f"{path}chart.svg?width={400 + number}" for number in range(CHARTS)]
        drawn = [(browser.seconds(chart), browser.seconds(chart)) for chart in charts]
        yield times(f"chart of {deals:,} deals, first time", [first for first, _ in drawn], 150)
        yield times(f"chart of {deals:,} deals, again", [again for _, again in drawn], 20)


def _checked() -> Figure:
    """Check deals that were played at random, a line of JSON in and out."""
    seconds = []
    check({})  # it loads what it needs
    for seed in range(ROUNDS):
        record = record_of(play("classic", seed))
        del record["hands"], record["claim"]["player_points"]
        tricks = [trick["cards"] for trick in record["tricks"]]
        line = encode({**record, "tricks": tricks})
        began = perf_counter()
        answer = encode(check(decode(line)))
        seconds.append(perf_counter() - began)
        assert decode(answer)["ok"]
    return times("check of a whole deal", seconds, 10)
