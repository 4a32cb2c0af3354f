"""Joining: a link and who one is, then only so often; and what an owner does on the share page."""

from datetime import timedelta
from pathlib import Path

import pytest
from flask import Flask

from scorer.services.base.clock import now
from scorer.storage import backups
from tests.web.phones import Phone
from tests.web.rows import link_ids, phone_ids

NAME = "Ada, Bea, Ciro"


def test_link_as_none_is_offered_is_not_made(owner: Phone) -> None:
    for other in ({"role": ""}, {"role": "king"}, {"life": "a century"}):
        form = {"name": "x", "role": "player", **other}
        assert owner.post(f"{owner.circle_url}links", form).status_code == 400, other
    assert link_ids(owner) == []


def test_refused_change_says_why_on_the_page(owner: Phone) -> None:
    mine = f"{owner.circle_url}phones/{phone_ids(owner)[0]}"

    for answer in (
        owner.sent(f"{mine}/role", {"role": "player"}),
        owner.sent(f"{mine}/away"),
        owner.sent(f"{owner.circle_url}leave"),
    ):
        assert answer.status == 422
        assert "needs an owner" in answer.problems["phone"]


def test_circle_is_deleted_by_its_name_only(owner: Phone) -> None:
    other = owner.let_in(Phone(owner.app))
    where = f"{owner.circle_url}delete"

    refused = owner.sent(where, {"name": "Friday"})
    answer = owner.post(where, {"name": NAME})

    assert (refused.status, "Type the name" in refused.problems["name"]) == (422, True)
    assert answer.headers["Location"] == "/"
    assert "is deleted" in owner.page("/").words
    assert [p.get(owner.circle_url).status_code for p in (owner, other)] == [404, 404]


def test_full_circle_is_told_to_who_joins_and_before_to_its_owner(
    app: Flask, owner: Phone, monkeypatch: pytest.MonkeyPatch
) -> None:
    link, more = owner.link(role="player"), f"{owner.circle_url}more"
    monkeypatch.setitem(app.config, "PHONES_A_CIRCLE", 1)
    backups.note_backup(Path(app.instance_path), now() - timedelta(days=4))

    refused, told = Phone(app).sent("/join", {"code": link}), owner.page(more).words
    Path(app.instance_path, backups.LAST).unlink()

    assert (refused.status, bool(refused.problems["code"])) == (422, True)
    assert ": 1 of at most 1." in told
    assert ("The last backup" in told, "The last backup" in owner.page(more).words) == (True, False)
