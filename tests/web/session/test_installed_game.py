"""A game of another distribution: played as ours are, and kept once it is taken away."""

import json
from pathlib import Path

import pytest

from scorer.operations import replay
from scorer.services.circle import circles
from scorer.services.journal.circle_file import export_circle, import_circles
from scorer.services.journal.verify import VerifyReport, circle_findings
from scorer.services.session.state import load_state
from tests.installed_games import install_template, on_the_path
from tests.web.pages import Page
from tests.web.phones import Phone
from tests.web.routes import ROWS, address, values
from tests.web.rows import rows

THREE = ("Ada", "Bea", "Ciro")
PILES = ([20, 12, 8], [0, 22, 18])
#: What acts on a session ask, more than any of them.
FILLED_IN = {"version": "1", "number": "4", "outcome": "misdeal", "title": "Another"}


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return install_template(tmp_path_factory.mktemp("installed"))


@pytest.fixture
def played(phone: Phone, installed: Path) -> Phone:
    """Play two deals, agree on a third and void it; then the game is taken away."""
    with on_the_path(installed):
        phone.start(THREE, game="rubamazzetto", rules="to-100", first_dealer="0")
        for number, piles in enumerate(PILES, 1):
            cards = {f"cards-{side}": str(count) for side, count in enumerate(piles)}
            assert record(phone, number, **cards) == 303
        agreed = {"payouts-0": "3", "reason": "mixed cards"}
        assert phone.outcome(3, "agreed", **agreed).status_code == 303
        assert phone.post("deals/3/void", {"version": "1"}).status_code == 303
        first = phone.url
        phone.start(["Ada", "Bea"], circle=str(phone.keys[0]), game="scopa", rules="to-11")
        phone.url = first
    return phone


def record(phone: Phone, number: int, **cards: str) -> int:
    form = phone.page("record").form("record")
    return phone.post("record", form.sends(number=str(number), **cards)).status_code


def test_it_is_chosen_recorded_and_shown_as_ours_are(phone: Phone, installed: Path) -> None:
    with on_the_path(installed):
        assert "/rules/rubamazzetto/" in phone.page("/rules/").links
        assert "/rules/rubamazzetto/three-deals/" in phone.page("/rules/rubamazzetto/").links
        chosen = phone.page("/sessions/new?game=rubamazzetto")
        assert chosen.form("/sessions/new")["rules"] == "to-100"

        phone.start(THREE, game="rubamazzetto", rules="three-deals", first_dealer="0")
        refused = phone.sent("record", phone.deal(1, **{"cards-0": "1", "cards-1": "2"}))
        assert refused.problems["cards"]
        assert record(phone, 1, **{"cards-0": "20", "cards-1": "12", "cards-2": "8"}) == 303

        assert "Ada 20, Bea 12, Ciro 8" in phone.page().words
        for path in (
            "deals/1/",
            "chart.svg",
            "rules",
            "what-if?rules=to-100",
            "/rules/rubamazzetto/to-100/",
        ):
            assert phone.get(path).status_code == 200, path


def paths(phone: Phone, method: str, start: str) -> list[str]:
    """Give every address of the circle, or of the session, but those of streams."""
    known = {**values(phone), "number": 1, "game": "rubamazzetto"}
    return [
        address(phone.app, row.rule, known)
        for row in ROWS
        if row.method == method and row.rule.startswith(start) and "/events" not in row.rule
    ]


def test_once_it_is_gone_its_sessions_are_read_and_not_written(played: Phone) -> None:
    page, deal = played.page(), played.page("deals/1/")

    for shown in (page, deal):
        assert "Ada 20, Bea 12, Ciro 8" in shown.words
    assert "not installed on this server" in page.words
    assert not any(link.endswith(("record", "amend")) for link in [*page.links, *deal.links])
    assert not any(form.action.endswith(("end", "outcome", "void")) for form in page.forms)
    bearer = {"Authorization": f"Bearer {played.secret('owner')}"}
    for path in paths(played, "GET", "/circles/<"):
        assert played.get(path).status_code < 500, path
    for path in paths(played, "GET", "/api/v1/circles/<"):
        assert played.client.get(path, headers=bearer).status_code < 500, path
    assert played.page("/").status == 200
    new = played.page(f"/sessions/new?circle={played.keys[0]}")
    assert not any("rubamazzetto" in link for link in new.links)

    before = rows(played.app)
    written = paths(played, "POST", "/circles/<uuid:circle_id>/sessions/<")
    assert len(written) > 30
    for path in written:
        if not path.endswith(("/file", "/csv", "/smazzate", "/pen")):
            assert played.post(path, FILLED_IN).status_code < 500, path
    assert rows(played.app) == before
    answer = Page(played.post("end"))
    assert answer.status == 403
    assert "not installed on this server" in answer.words


def test_all_of_it_is_carried_along_and_played_on_once_it_is_back(
    played: Phone, installed: Path, tmp_path: Path
) -> None:
    circle_id, session_id = played.keys
    file = tmp_path / "circle"

    with played.app.app_context():
        report = VerifyReport()
        assert list(circle_findings(circle_id, report)) == []
        (told,) = report.former
        assert "rubamazzetto is not installed" in told
        file.write_bytes(b"".join(export_circle(circle_id)))
        kept = file.read_bytes()
        circles.delete_circle(circle_id, circles.find(circle_id).name)
        import_circles(file)
        assert b"".join(export_circle(circle_id)) == kept
    document = json.loads(played.post("file").text)
    assert [deal["sheet"] for deal in document["deals"]] == [{"cards": piles} for piles in PILES]
    assert document["rules"]["target"] == 100
    assert all(played.post(ending).status_code == 200 for ending in ("csv", "xlsx"))
    assert "20" in played.post("csv").text

    with on_the_path(installed):
        known = {key: document[key] for key in ("game", "rules", "seats", "opening", "deals")}
        assert replay(known)["standings"][0] == {"place": 1, "player": "Bea", "balance": 34}
        with played.app.app_context():
            assert list(circle_findings(circle_id)) == []
            assert load_state(circle_id, session_id).can_go_on
        assert played.post("deals/3/restore", {"version": "2"}).status_code == 303
