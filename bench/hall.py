"""A club evening at real size, whose phones all come from one address."""

import json
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from bench.browsers import Browser
from bench.figures import Figure, faultless, times
from bench.kills import killed_while
from bench.live import LATE, SETTLED, Table, listening, record
from bench.phones import BurracoPhone, acknowledged, faults
from bench.places import Place
from tests.services.evenings import FIVE

TABLES, TURNS, DEALS, SPECTATORS, WORKERS = 20, 4, 4, 2, 2
#: The turn in whose middle all workers are killed.
KILLED = 2
#: Deals a second of all tables together, and seconds between two looks of the director.
RATE, LOOKS = 8.0, 0.2


@dataclass(frozen=True, slots=True)
class Hall:
    """The director, the paths of circle and tournament, the phones that write and that look on."""

    director: Browser
    circle: str
    page: str
    writers: list[Browser]
    spectators: list[Browser]

    def tables(self) -> list[Table]:
        """Draw and publish a turn, and open the sheet of each table on its phone."""
        for act in ("draw", "publish"):
            form = self.director.filled_in(self.page, f"/{act}")
            assert self.director.send(form, f"{self.page}/{act}").status_code == 303
        *_, turn = json.loads(self.director.go(f"{self.page}/file").text)["rounds"]
        return [self._table(place, row["session"]) for place, row in enumerate(turn["tables"])]

    def _table(self, place: int, session: str) -> Table:
        url = f"{self.circle}sessions/{session}/"
        phone = BurracoPhone.of(self.writers[place].at(url))
        return Table(phone, [one.at(url) for one in self.spectators[place::TABLES]])


def hall(place: Place) -> Iterator[Figure]:
    """Play an evening of forty pairs, in whose second turn all workers are killed."""
    with place.database() as url, place.running(url, WORKERS) as here:
        evening = begin(here.url)
        turns, looked, killed = list[list[Table]](), list[float](), list[int]()
        for turn in range(1, TURNS):
            turns.append(evening.tables())
            if turn == KILLED:
                phones = [table.phone for table in turns[-1]]
                with killed_while(here, phones, times=1, every=TABLES * DEALS // 2) as kills:
                    record(turns[-1], RATE, TABLES * DEALS / RATE)
                killed += kills
            else:
                looked += play(evening, turns[-1])
        turns.append(evening.tables())
        standings = last_deals(evening, turns[-1])
        phones = [table.phone for tables in turns for table in tables]
        found = faults(phones, url)
    heard = [seconds for tables in turns for table in tables for seconds in table.heard]
    deals, missed = TABLES * TURNS * DEALS, TABLES * (1 + SPECTATORS) - len(standings)
    yield Figure("workers killed", sum(killed), least=WORKERS)
    yield Figure("deals at the tables", acknowledged(phones), most=deals, least=deals)
    yield faultless(found)
    yield times("a deal heard of at its table", heard, 500)
    yield times("director's page while all play", looked, 50)
    yield Figure("phones without the last standings", missed, most=0)
    yield Figure("last standings on all phones", 1_000 * max(standings), "ms", 1_000)


def begin(site: str) -> Hall:
    """Let everybody in, and make a tournament of forty pairs."""
    director = Browser(site).start(FIVE)
    phones = [Browser(site, director.address) for _ in range(TABLES * (1 + SPECTATORS))]
    writers = director.let_in_all(phones[:TABLES])
    spectators = director.let_in_all(phones[TABLES:], role="spectator")
    circle = director.url.partition("sessions")[0]
    new = f"{circle}tournaments/new"
    pairs = "\n".join(f"Left {pair}, Right {pair}" for pair in range(2 * TABLES))
    agreed = {"game": "burraco", "rules": "four-deals", "points": "four-deals"}
    agreed |= {"plan": "mitchell", "rounds": str(TURNS)}
    form = director.filled_in(f"{new}?game=burraco", new, name="Tuesday", names=pairs, **agreed)
    page = director.go(new, form).location
    return Hall(director, circle, page, writers, spectators)


def play(evening: Hall, tables: Sequence[Table]) -> list[float]:
    """Let all tables play a turn; give how long the director's page took meanwhile."""
    looked, phones = list[float](), [table.phone for table in tables]
    with ThreadPoolExecutor(1) as thread, listening(tables):
        time.sleep(SETTLED)
        done = thread.submit(record, tables, RATE, TABLES * DEALS / RATE)
        while acknowledged(phones) < TABLES * DEALS and not done.done():
            looked.append(evening.director.seconds(evening.page))
            time.sleep(LOOKS)
        done.result()
    return looked


def last_deals(evening: Hall, tables: Sequence[Table]) -> list[float]:
    """Play a turn; give the seconds until each phone has the standings after its very last deal."""
    *done, last = tables
    everybody = [one for table in tables for one in table.browsers if one is not last.phone.browser]
    whole = Table(last.phone, [one.at(evening.circle) for one in everybody])
    standings: list[float] = []

    def look(browser: Browser) -> None:
        browser.seconds(evening.page)
        standings.append(time.perf_counter() - whole.sent[DEALS])

    record(tables, RATE, TABLES * (DEALS - 1) / RATE)
    record(done, RATE, len(done) / RATE)
    with (
        ThreadPoolExecutor(len(whole.browsers)) as threads,
        listening([whole], lambda browser, _: threads.submit(look, browser)),
    ):
        time.sleep(SETTLED)
        whole.sent[DEALS] = time.perf_counter()
        last.phone.record(50)
        time.sleep(LATE)
    return standings
