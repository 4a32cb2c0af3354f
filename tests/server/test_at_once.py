"""Many requests at one moment against the real server with several workers: nothing is doubled."""

import re
from collections import Counter
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from uuid import UUID

import pytest

from bench.browsers import Answer, Browser
from scorer.services.session.state import load_state
from scorer.services.tournament.tournaments import load_tournament
from tests.server.conftest import WORKERS
from tests.services.evenings import FIVE
from tests.storage.conftest import SQLITE, opened
from tests.web.phones import PLAYED

THREADS = 8


def at_once(
    browsers: list[Browser], forms: list[Mapping[str, object]], path: str, times: int
) -> list[Answer]:
    """Send forms from as many threads as there are browsers, all at one moment, several times."""
    ready = Barrier(len(browsers))

    def send(number: int) -> list[Answer]:
        ready.wait()
        return [browsers[number].send(forms[number], path) for _ in range(times)]

    with ThreadPoolExecutor(len(browsers)) as threads:
        answers = threads.map(send, range(len(browsers)))
        return [answer for some in answers for answer in some]


def statuses(answers: list[Answer]) -> Counter[int]:
    return Counter(answer.status_code for answer in answers)


def stored(browser: Browser, database_url: str) -> tuple[list[int], list[int]]:
    """Give the numbers of the deals of the session, and how many versions each has."""
    _, _, circle, _, session, _ = browser.url.split("/")
    with opened(database_url):
        deals = load_state(UUID(circle), UUID(session)).deals
        return [deal.number for deal in deals], [deal.version for deal in deals]


def test_same_deal_sent_by_many_threads_twice_is_one(site: str, database_url: str) -> None:
    browser = Browser(site).start(FIVE)
    form = browser.filled_in("record", "/record", **PLAYED)

    answers = at_once([browser] * THREADS, [form] * THREADS, "record", 2)

    assert statuses(answers) == {303: 2 * THREADS}
    assert {answer.location for answer in answers} == {browser.url}
    assert stored(browser, database_url) == ([1], [1])


def test_two_phones_that_record_one_deal_at_once_end_with_one_deal(
    site: str, database_url: str
) -> None:
    first = Browser(site).start(FIVE)
    both = [first, *first.let_in_all([Browser(site)])]
    rounds = 2
    for number in range(1, rounds + 1):
        forms = [
            browser.filled_in("record", "/record", **{**PLAYED, "caller": str(seat)})
            for seat, browser in zip((0, 3), both, strict=True)
        ]
        assert {form["number"] for form in forms} == {str(number)}

        answers = at_once(both, [*forms], "record", 1)

        assert statuses(answers) == {303: 1, 409: 1}
        conflict = next(answer for answer in answers if answer.status_code == 409)
        assert f"Deal {number}, twice" in conflict.text
        assert "Mine is another deal" in conflict.text

    assert stored(first, database_url)[0] == list(range(1, rounds + 1))


def test_phones_that_change_one_deal_at_once_make_one_new_version(
    site: str, database_url: str
) -> None:
    first = Browser(site).start(FIVE)
    first.go("record", first.filled_in("record", "/record", **PLAYED))
    many = [first, *first.let_in_all([Browser(site) for _ in range(3)])]
    forms = [
        browser.filled_in("deals/1/amend", "/amend", card_points=str(40 + number))
        for number, browser in enumerate(many)
    ]

    amended = at_once(many, [*forms], "deals/1/amend", 1)
    voids = [browser.filled_in("deals/1/", "/void", reason="") for browser in many]
    voided = at_once(many, [*voids], "deals/1/void", 2)

    assert statuses(amended) == {303: 1, 409: len(many) - 1}
    assert statuses(voided) == {303: 2 * len(many)}
    assert stored(first, database_url) == ([1], [3])


def test_of_two_directors_who_draw_again_and_publish_at_once_one_is_told(
    site: str, other_site: str, database_url: str
) -> None:
    first = Browser(site).start(FIVE)
    both = [first, *first.let_in_all([Browser(other_site)])]
    new = f"{first.url.partition('sessions')[0]}tournaments/new"
    agreed = {"name": "Tuesday", "rules": "best-of-3", "names": "Ada, Bea\nCiro, Dora\nLea, Mara"}
    page = first.go(new, first.filled_in(f"{new}?game=briscola", new, **agreed)).location
    first.go(f"{page}/draw", first.filled_in(page, "/draw"))
    acts = [
        (browser, f"{page}/{act}", browser.filled_in(page, f"/{act}"))
        for browser, act in zip(both, ("draw", "publish"), strict=True)
    ]
    ready = Barrier(len(acts))

    def send(act: tuple[Browser, str, dict[str, str]]) -> int:
        browser, path, form = act
        ready.wait()
        return browser.go(path, form).status_code

    with ThreadPoolExecutor(len(acts)) as threads:
        answered = [*threads.map(send, acts)]

    told = ["Somebody was quicker." in browser.go(page).text for browser in both]
    circle, tournament = UUID(page.split("/")[2]), UUID(page.split("/")[4])
    with opened(database_url):
        stored = load_tournament(circle, tournament)
    (turn,) = stored.evening.turns
    assert (answered, sum(told)) == ([303, 303], 1)
    assert (turn.drawn, turn.published) == ((1, True) if told[0] else (2, False))
    assert len(stored.tables) == int(turn.published)


@pytest.mark.parametrize("database_url", [SQLITE], indirect=True)
def test_every_worker_shows_on_a_players_page_what_any_has_written(site: str) -> None:
    browser = Browser(site).start(FIVE)
    listed = browser.go(f"{browser.url.partition('sessions')[0]}players/").text
    player = next(iter(re.findall(r"/circles/[0-9a-f-]+/players/[0-9a-f-]+/", listed)))
    for number, name in enumerate(("Zoe", "Zita"), 1):
        browser.go("record", browser.filled_in("record", "/record", **PLAYED))
        browser.go(f"{player}rename", browser.filled_in(player, "/rename", name=name))
        pages = [browser.go(player).text for _ in range(4 * WORKERS)]
        (shown,) = {tuple(re.findall(">([^<]+)</(?:h1|dd)>", page)) for page in pages}
        assert (shown[0], shown[-2]) == (name, str(number))
