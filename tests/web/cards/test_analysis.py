"""Deals with all their cards open: analysed at once, thought over, given up; on their pages."""

import fcntl
import subprocess
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from time import monotonic, sleep
from unittest.mock import Mock

import pytest

from scorer.cards.solver.open_deal import OpenDeal, SolverGoal
from scorer.cards.solver.search import solve
from scorer.errors import InvalidError
from scorer.services.cards import analysis
from scorer.services.cards.analysis import Analysis, AnalysisQueue, Costs, end_costs, open_cards
from scorer.web.cards.analysis import OF_BID, costliest, tell, verdict_texts
from tests.cards.card_deals import value_of
from tests.games.played import whole
from tests.games.tables import play
from tests.samples import RECORD
from tests.web.cards.test_tricks import CARDS, RIGHT, write
from tests.web.phones import Phone

#: A deal that a card of its last three tricks turned.
SEED, TRICKS = 9, 3


@pytest.fixture(scope="module")
def deal() -> OpenDeal:
    """Give the end of a deal, as a deal of its own: the whole tree of it is small."""
    deal = open_cards(value_of(whole(play("classic", SEED))))
    assert deal is not None
    cards = TRICKS * len(deal.hands)
    before = deal.positions()[-cards - 1]
    target, played = deal.target - before.taken, deal.played[-cards:]
    return replace(deal, hands=before.hands, leader=before.leader, target=target, played=played)


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AnalysisQueue:
    """Give a desk at which nobody works before the test says so."""
    monkeypatch.setattr(AnalysisQueue, "_go_on", lambda _: None)
    return AnalysisQueue(str(tmp_path))


def test_whole_deal_is_thought_over_also_once_its_process_was_killed(
    desk: AnalysisQueue, deal: OpenDeal, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.ask(deal)
    with monkeypatch.context() as patch:
        patch.setattr(AnalysisQueue, "_think_over", Mock(side_effect=KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            desk.work()
    assert desk.waits(deal)
    desk.work()

    found, solved = desk.look(deal), solve(deal, SolverGoal.VERDICTS, 0)
    value = solve(deal, SolverGoal.VALUE, 0).value
    assert (found.first, found.whole, found.value) == (0, True, (value, value))
    assert found.made == (solved.made, *(made for _, made in solved.verdicts or ()))
    assert found.turning == solved.turning is not None
    assert not desk.waits(deal)


def test_points_are_given_up_and_said_to_be_while_they_are_looked_for(
    desk: AnalysisQueue, deal: OpenDeal, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept: list[Analysis] = []
    keep = AnalysisQueue._keep

    def note_and_keep(self: AnalysisQueue, path: Path, found: Analysis) -> None:
        kept.append(found)
        keep(self, path, found)

    monkeypatch.setattr(AnalysisQueue, "_keep", note_and_keep)
    monkeypatch.setattr(analysis, "EXACT", 0.0)
    desk.ask(deal)
    desk.work()

    assert [(found.first, found.whole, found.value) for found in kept[-2:-1]] == [(0, False, None)]
    found = desk.look(deal)
    assert (found.first, found.whole, desk.waits(deal)) == (0, True, False)
    low, high = found.value or (0, 0)
    assert low < high


def test_who_played_it_makes_no_other_deal(
    desk: AnalysisQueue, deal: OpenDeal, tmp_path: Path
) -> None:
    desk.ask(replace(deal, names=("Vanna", "Walter", "Xenia", "Yuri", "Zoe")))

    assert desk.waits(deal)
    (kept,) = (tmp_path / analysis.FOLDER).glob("*.deal")
    assert b"Vanna" not in kept.read_bytes()
    assert not desk.waits(replace(deal, target=deal.target + 1))


def test_what_was_found_stays_when_somebody_stops_it(
    desk: AnalysisQueue, deal: OpenDeal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(analysis, "OFTEN", 0.0)
    keep = AnalysisQueue._keep

    def keep_and_stop(self: AnalysisQueue, path: Path, found: Analysis) -> None:
        keep(self, path, found)
        if found.first == 9:
            desk.stop(deal)

    monkeypatch.setattr(AnalysisQueue, "_keep", keep_and_stop)
    monkeypatch.setattr(analysis, "_at_once", lambda _: Analysis(20, (True,)))
    desk.ask(deal)
    desk.work()

    found = desk.look(deal)
    assert (found.whole, desk.waits(deal)) == (False, False)
    assert 0 < found.first <= 9


def test_what_was_found_before_is_not_looked_for_again(desk: AnalysisQueue, deal: OpenDeal) -> None:
    desk.ask(deal)
    before = Analysis(len(deal.played) - 4, (False, True, False, True, False))
    desk._keep(desk._path(deal, ".deal"), before)
    desk.work()

    found = desk.look(deal)
    assert (found.first, found.whole) == (0, True)
    assert found.made[-5:] == before.made


def test_only_one_process_thinks(
    deal: OpenDeal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun = in_vain(monkeypatch)
    (tmp_path / analysis.FOLDER).mkdir()
    with (tmp_path / analysis.FOLDER / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        AnalysisQueue(str(tmp_path)).ask(deal)
        assert AnalysisQueue(str(tmp_path)).waits(deal)

    assert begun == []


def test_only_so_many_wait_and_are_kept(
    desk: AnalysisQueue, deal: OpenDeal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(analysis, "MOST_WAITING", 1)
    monkeypatch.setattr(analysis, "MOST_KEPT", 0)
    desk.ask(deal)
    desk.ask(deal)
    with pytest.raises(InvalidError, match="Too many deals"):
        desk.ask(replace(deal, target=deal.target + 1))

    desk.work()
    assert not desk.look(deal).whole


def in_vain(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """Let no process begin, and tell which would have."""
    begun: list[list[str]] = []
    begin = subprocess.Popen

    def instead(words: list[str], **_: object) -> subprocess.Popen[bytes]:
        begun.append(words)
        return begin("true")

    monkeypatch.setattr(subprocess, "Popen", instead)
    return begun


def test_page_tells_what_turned_a_deal_and_thinks_it_over_on_request_until_it_is_stopped(
    phone: Phone, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun = in_vain(monkeypatch)
    phone.start()
    phone.record(1, **RIGHT)
    write(phone, " ".join(CARDS[:5]))
    assert phone.get("deals/1/tricks/analysis").get_json() == {"waiting": False}
    assert phone.post("deals/1/tricks/analysis", {}).status_code == 404
    assert "With all cards open" not in phone.page("deals/1/tricks/replay").words
    write(phone)

    turned = {"name": "Ada", "card": "the Knight of coins", "trick": 5}
    before, page = (phone.page(f"deals/1/tricks/replay?step={step}") for step in (21, 22))
    assert OF_BID["after"].template % turned in page.words
    assert "Knight of coins turned the deal" in page.told
    assert [str(OF_BID["gone"]) in one.words for one in (before, page)] == [True, False]
    assert [str(OF_BID["still"]) in one.words for one in (before, page)] == [False, True]

    answer = phone.post("deals/1/tricks/analysis", {})
    assert answer.headers["Location"].endswith("deals/1/tricks/replay#open-cards")
    assert [words[1:3] for words in begun[:1]] == [["-m", "scorer.services.cards.analysis"]]
    page = phone.page("deals/1/tricks/replay")
    assert "Thinking it over: 23 of 40 cards." in page.words
    assert phone.get("deals/1/tricks/analysis").get_json()["waiting"]

    seen = Analysis(0, (True,) * 41)
    monkeypatch.setattr(AnalysisQueue, "look", lambda *_: seen)
    assert "40 of 40" not in phone.page("deals/1/tricks/replay").words
    assert "30 seconds at most" in phone.get("deals/1/tricks/analysis").get_json()["progress"]
    monkeypatch.undo()
    in_vain(monkeypatch)

    phone.post("deals/1/tricks/analysis/stop", {})
    assert not phone.get("deals/1/tricks/analysis").get_json()["waiting"]
    assert "Think the whole deal over" in phone.page("deals/1/tricks/replay").words


def test_costliest_card_of_the_last_tricks_is_told() -> None:
    deal = value_of(whole(play("classic", 3)))
    opened = open_cards(deal)
    assert opened is not None
    costs = end_costs(opened)
    last = len(opened.played) - costs.tricks * len(opened.hands)
    values = [
        solve(opened, SolverGoal.VALUE, index).value
        for index in range(last, len(opened.played) + 1)
    ]
    found = [abs(after - before) for before, after in pairwise(filter(None, values))]

    assert (costs.tricks, costs.points) == (3, max(found)) == (3, 16)
    assert costs.costliest == last + found.index(16)
    (told_of_it,) = costliest(deal, costs, opened)
    assert told_of_it.template == OF_BID["costliest"].template
    assert {name: str(value) for name, value in told_of_it.values.items()} == {
        "tricks": "3", "card": "the Ace of batons", "name": "Bea", "trick": "7", "points": "16",
    }  # fmt: skip
    assert costliest(deal, Costs(1, None, 0), opened) == []
    (nothing,) = costliest(deal, Costs(3, None, 0), opened)
    assert nothing.values == {"tricks": 3}


def test_process_of_its_own_thinks_a_deal_over(deal: OpenDeal, tmp_path: Path) -> None:
    desk = AnalysisQueue(str(tmp_path))
    desk.ask(deal)
    until = monotonic() + 60
    while desk.waits(deal):
        assert monotonic() < until
        sleep(0.05)

    assert desk.look(deal).whole


CARD = {"name": "Ada", "card": "the Six of swords", "trick": 4}
LATE = (True,) * 5


@pytest.mark.parametrize(
    ("found", "said", "limit"),
    [
        (Analysis(36, LATE), {"always from": {"trick": 8}}, {}),
        (Analysis(36, (False,) * 5), {"never from": {"trick": 8}}, {}),
        (Analysis(0, (False,) * 41, (40, 40)), {"never": {}, "value": {"points": 40}}, {}),
        (Analysis(0, (*[True] * 20, *[False] * 21)), {"until": CARD}, {}),
        (Analysis(36, LATE, whole=True), {"always from": {"trick": 8}}, {"minutes": 5}),
        (Analysis(0, (True,) * 41, (70, 90), whole=True),
         {"always": {}, "value": {"points": "from 70 to 90"}}, {"seconds": 30}),
    ],
)  # fmt: skip
def test_what_was_found_is_said_in_words_and_that_the_search_gave_up(
    found: Analysis, said: dict[str, dict[str, object]], limit: dict[str, int]
) -> None:
    deal = value_of(RECORD)
    opened = open_cards(deal)
    assert opened is not None

    texts = verdict_texts(deal, found, opened)

    of_the_search = [text.values for text in texts[len(said) :]]
    assert of_the_search == ([limit] if limit else [])
    told = [*map(str, texts[: len(said)])]
    assert told == [str(tell(deal, key, **values)) for key, values in said.items()]
