"""A circle moves house: to a new machine, to PostgreSQL and back, and its people find their way."""

import hashlib
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import UUID, uuid4

import pytest
from flask import Flask

from scorer import create_app, storage
from scorer.cli import main
from scorer.services.cards.tricks import TricksEntry, write_tricks
from scorer.services.circle import circles
from scorer.services.journal.circle_file import export_circle
from scorer.services.money import ledger
from scorer.services.money.ledger import Payment
from scorer.storage import queries
from tests.web.phones import Phone
from tests.web.photos import add_photo

CARDS = {"called_card": "KC", "tricks": [["7B", "2D"]]}


@contextmanager
def machine(folder: Path, database: str = "") -> Iterator[Flask]:
    """Serve what lies in a folder, with the key that lies there, while the block runs."""
    settings = {"TESTING": True, "LAN_HTTP": True}
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SCORER_INSTANCE", str(folder))
        app = create_app({**settings, "DATABASE_URL": database} if database else settings)
        with app.app_context():
            storage.upgrade()
        yield app
        with app.app_context():
            storage.db.engine.dispose()


def play(owner: Phone) -> None:
    """Play an evening with everything that a circle keeps: another thing is another line here."""
    owner.start(stake="0.50")
    owner.hold("Ada")
    for number in (1, 2):
        owner.record(number)
    owner.let_in(Phone(owner.app), "player")
    owner.post("deals/1/void", {"version": "1", "reason": "A card too many"})
    add_photo(owner, "A card too many")
    circle_id, session_id = owner.keys
    with owner.app.app_context():
        by = circles.holder(circle_id, queries.circle.phones(circle_id)[0].phone_id)
        write_tricks(session_id, TricksEntry(2, 0, CARDS, "as Zoë says"), by)
        payer, payee = (one.player_id for one in queries.circle.players(circle_id)[:2])
        ledger.note_payment(circle_id, Payment(uuid4(), payer, payee, 250), by=by)
    owner.post("end")


def sum_of(app: Flask, circle_id: UUID) -> str:
    with app.app_context():
        return hashlib.sha256(b"".join(export_circle(circle_id))).hexdigest()


def said(capfd: pytest.CaptureFixture[str], *command: object) -> str:
    """Run a command where the data is, and give what it says."""
    assert main([str(word) for word in command]) == 0
    return capfd.readouterr().out


def comes_in(app: Flask, link: str, circle: str) -> list[int]:
    """Open a circle by a link, pasted at this machine's address; say before and after."""
    phone = Phone(app, Host="scorer.local:8000")
    shut = phone.get(circle).status_code
    asked = phone.post("/join", {"code": link})
    return [shut, asked.status_code, phone.get(f"{circle}recovery").status_code]


@pytest.mark.postgres
def test_circle_moves_to_a_new_machine_to_postgresql_and_back(
    postgres_url: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    old, new, last = (tmp_path / name for name in ("old", "new", "last"))
    copies = tmp_path / "1.sqlite", tmp_path / "2.sqlite", tmp_path / "3.jsonl"
    with machine(old) as app:
        owner = Phone(app, Host="192.168.1.20:8000")
        play(owner)
        circle, circle_id = owner.circle_url, owner.keys[0]
        kept = owner.post(f"{circle}recovery", follow_redirects=True).text
        recovery = re.findall(r"http://192\.168\.1\.20:8000/join#[\w-]+", kept)[0]
        cookie = owner.client.get_cookie("scorer", "192.168.1.20")
        sums = [sum_of(app, circle_id)]
        assert "It contains the secret key" in said(capfd, "backup", copies[0])

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SCORER_INSTANCE", str(new))
        assert "the phones that it knew stay signed in" in said(capfd, "restore", copies[0])
    with machine(new) as app:
        sums += [sum_of(app, circle_id)]
        moved = Phone(app, Host="scorer.local:8000")
        assert cookie
        moved.client.set_cookie("scorer", cookie.value, domain="scorer.local")
        assert moved.get(circle).status_code == 200  # where its address goes along
        said(capfd, "backup", copies[1])
        said(capfd, "restore", copies[1], "--database", postgres_url)
    with machine(new, postgres_url) as app:
        sums += [sum_of(app, circle_id)]
        said(capfd, "export", circle_id, copies[2], "--database", postgres_url)
        exported = [sum_of(app, circle_id), hashlib.sha256(copies[2].read_bytes()).hexdigest()]

    with machine(last) as app:
        said(capfd, "import", copies[2])
        exported += [sum_of(app, circle_id)]
        by_operator = said(capfd, "link", circle_id, "--address", "http://scorer.local:8000")
        entered = [comes_in(app, link, circle) for link in (recovery, by_operator.strip())]
        output = said(capfd, "verify")

    assert (len(sums), len(set(sums))) == (3, 1)
    assert len(set(exported)) == 1  # with the entry that the file was taken
    assert entered == [[404, 303, 200]] * 2
    assert output == "1 circle, 1 session, 2 deals, 3 versions: no differences.\n"
