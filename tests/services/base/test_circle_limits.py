import json
from uuid import uuid4

import pytest
from flask import Flask

from scorer.roles import Role
from scorer.services.album.notes import NewNote, add_note
from scorer.services.base.circle_limits import nearly_full
from scorer.services.circle import circles
from scorer.services.files import session_files
from scorer.services.files.session_files import session_file
from tests.refusals import refused
from tests.services.evenings import Evening


def test_full_circle_takes_no_more_deals_phones_and_photos(
    evening: Evening, app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    secret = circles.make_link(evening.circle_id, "All", Role.PLAYER)
    for setting, most in (("DEALS", 3), ("PHONES", 2), ("PHOTOS", 0)):
        monkeypatch.setitem(app.config, f"{setting}_A_CIRCLE", most)

    inside = circles.join(secret, {})
    evening.record()
    evening.record()
    file = json.dumps(session_file(evening.state))
    preview = session_files.preview_session(file, uuid4(), evening.circle_id)
    with refused("circle-full"):
        session_files.keep(preview, evening.by)
    evening.record()
    for act in (
        evening.record,
        lambda: circles.join(secret, {}),
        lambda: add_note(*evening.keys, NewNote(uuid4(), None, "", b"no photo"), by=evening.by),
    ):
        with refused("circle-full"):
            act()

    assert circles.join(secret, {evening.circle_id: inside.phone_id}) == inside


@pytest.mark.parametrize(
    ("most", "told"), [(None, []), (0, []), (3, []), (2, ["Deals of the circle: 2 of at most 2."])]
)
def test_owner_is_told_from_nine_tenths_on(
    evening: Evening, most: int | None, told: list[str], app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    evening.record()
    evening.record()
    monkeypatch.setitem(app.config, "DEALS_A_CIRCLE", most)

    assert [str(text) for text in nearly_full(evening.circle_id)] == told
