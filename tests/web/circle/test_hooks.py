"""The page of the web hooks: who sees a secret, what is refused, how a hook fares."""

import re
from uuid import UUID

from flask import Flask

from scorer.services.circle import hooks
from tests.web.phones import Phone

SECRET = re.compile(r"whsec_[\w+/=]{44}")


def hook_ids(owner: Phone) -> list[UUID]:
    with owner.app.app_context():
        return [hook.hook_id for hook in hooks.listed_hooks(owner.keys[0])]


def test_owner_makes_a_hook_whose_secret_only_this_phone_shows(app: Flask, owner: Phone) -> None:
    page = f"{owner.circle_url}hooks/"
    form = owner.page(page).form("hooks/")
    sent = [(name, value) for name, value in form.fields if name in {"key", "csrf_token"}]
    made = {"address": "https://ntfy.sh/secret-topic", "events": "deal-recorded", **dict(sent)}
    answers = [owner.post(page, data) for data in (made, {**made, "events": "test-it"}, made)]
    shown, other = owner.get(page).text, Phone(app)
    other.post("/join", {"code": owner.link(role="owner")})
    seen = other.get(page).text
    journal = owner.page(f"{owner.circle_url}journal").words

    assert [answer.status_code for answer in answers] == [303, 400, 303]
    assert len(SECRET.findall(shown)) == 1
    assert "ntfy.sh" in seen
    assert not SECRET.search(seen)
    assert "secret-topic" not in shown + journal
    assert "A web hook tells ntfy.sh what happens." in journal


def test_hook_is_tried_and_removed_and_a_wrong_one_is_refused(owner: Phone) -> None:
    page = f"{owner.circle_url}hooks/"
    key = dict(owner.page(page).form("hooks/").fields)["key"]
    made = {"address": "https://ntfy.sh/topic", "events": "evening-ended", "key": key}
    wrong = owner.post(page, {**made, "address": "http://ntfy.sh/topic"})
    owner.post(page, made)
    hook_id = hook_ids(owner)[0]
    tried = owner.post(f"{page}{hook_id}/test")
    with owner.app.app_context():
        hooks.send_next(owner.keys[0], hook_id, private=False)
    failed = owner.page(page).words
    removed = owner.post(f"{page}{hook_id}/remove")

    assert wrong.status_code == 422
    assert "Write an address like https://ntfy.sh/our-evenings." in wrong.text
    assert tried.status_code == removed.status_code == 303
    assert "its name is unknown to the DNS" in failed
    assert hook_ids(owner) == []
