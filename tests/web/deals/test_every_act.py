"""Every act as pages and programs do it; none is named, so a new one is walked through, too."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import product
from json import dumps
from typing import NamedTuple

from flask import Flask

from scorer.api.deals import ReviewKind
from scorer.api.openapi import described
from scorer.evening.acts import ACTS, KINDS, VERSIONS
from scorer.evening.session_acts import SESSION_ACTS, Sign
from scorer.rules.questions import questions
from tests.web.pages import Form, Page
from tests.web.phones import JSON, PLAYED, Phone

#: What only a table of a tournament offers: tests/web/tournament/test_slips.py.
AT_A_TOURNAMENT = {Sign.name}
#: A walk does what was done least often, so that it soon has done everything.
STEPS = 40
DEAL = "/api/v1/circles/{}/sessions/{}/deals/1"
DESCRIBED = "/circles/{circle}/sessions/{session}/deals/{number}/"
QUEUED = re.compile(r'action="[^"]*/(\w+)"[^>]*?data-act="(\w+)" data-title="([^"]+)"')
#: What is proposed instead, for the acts that ask it: somebody who is not the partner.
RIGHT = re.compile(r'<input[^>]*name="(right-partner)"[^>]*value="(\d+)"')


class Offer(NamedTuple):
    """A form that does an act, on the page of a phone."""

    name: str
    phone: Phone
    page: Page
    form: Form


def offers(phone: Phone, path: str, names: set[str]) -> Iterator[Offer]:
    page = phone.page(path)
    for form in page.forms:
        name = form.action.rpartition("/")[2]
        if name in names and form.method == "POST":
            yield Offer(name, phone, page, form)


def next_of(there: Iterable[Offer], done: Counter[str]) -> Offer:
    """Give the first offer that was not taken up yet, or else the one that was least often."""
    seen = []
    for offer in there:
        if not done[offer.name]:
            return offer
        seen.append(offer)
    return min(seen, key=lambda offer: done[offer.name])


def latest(phone: Phone) -> str:
    """Give the kind of the last event."""
    return str(phone.get("version?after=0").get_json()["kind"])


def test_act_on_a_deal_is_queued_done_once_told_and_a_conflict_where_another_came_first(
    phones: tuple[Phone, Phone],
) -> None:
    done: Counter[str] = Counter()
    while len(done) < len(ACTS) and done.total() < STEPS:
        there = (offer for phone in phones for offer in offers(phone, "deals/1/", {*ACTS}))
        name, phone, page, form = next_of(there, done)
        act, right = ACTS[name], dict(RIGHT.findall(page.source))
        said = form.sends(**{"reason": "Because", **right})
        titles = {act: title for path, act, title in QUEUED.findall(page.source) if path == act}
        late = phone.sent(f"deals/1/{name}", said | {"version": "99"})
        again = [form["version"] for form in late.forms if form.action.endswith(f"/{name}")]
        answers = [phone.post(f"deals/1/{name}", said, headers=JSON) for _ in range(2)]
        done[name] += 1

        assert titles[name] == act.wanted.template % {"number": 1}
        assert {"version", "seen"} & act.__dataclass_fields__.keys() <= said.keys()
        assert late.status == 409
        assert again in ([], [form["version"]])
        assert titles[name] in late.words
        assert [answer.status_code for answer in answers] == [200, 200]
        assert latest(phone) == act.event
        after = phone.page(answers[0].get_json()["next"])
        assert (after.status, str(act.done) in after.words) == (200, True)
    assert done.keys() == ACTS.keys()


def test_act_on_a_session_is_done_told_and_noted(phones: tuple[Phone, Phone]) -> None:
    first, _ = phones
    pages = ("", "record?step=start", "last", "rules/change?rules=monte-5")
    done, acts = Counter[str](), SESSION_ACTS.keys() - AT_A_TOURNAMENT
    while len(done) < len(acts) and done.total() < STEPS:
        there = (offer for path in pages for offer in offers(first, path, {*acts}))
        name, _, _, form = next_of(there, done)
        act = SESSION_ACTS[name]
        answer = first.post(form.action, form.sends(**PLAYED, rules="monte-5", minutes="25"))
        done[name] += 1

        assert answer.status_code == 303
        assert latest(first) == act.event
        if act.noted:
            journal = first.page(f"{first.circle_url}journal").words
            assert act.done.template % {"number": 2, "title": "Friday"} in journal
    assert done.keys() == acts


def test_act_of_a_program_is_described_and_done(app: Flask, phones: tuple[Phone, Phone]) -> None:
    paths, schemas = described()["paths"], described()["components"]["schemas"]
    here = {path.removeprefix(DESCRIBED) for path in paths if path.startswith(DESCRIBED)}
    kinds: dict[str, str] = {kind.value: "reviews" for kind in ReviewKind}
    routes = {name: name for name in ACTS if name in here} | kinds
    secrets = [phones[0].link(role="scorekeeper").partition("#")[2] for _ in range(2)]
    programs = [Phone(app, Authorization=f"Bearer {secret}") for secret in secrets]
    deal, done = DEAL.format(*phones[0].keys), Counter[str]()
    while len(done) < len(routes) and done.total() < STEPS:
        seen = {
            "version": programs[0].get(deal).get_json()["version"],
            "seen": len(programs[0].get(f"{deal}/reviews").get_json()["reviews"]),
            "reason": "Because",
        }
        for name, program in product(sorted(routes, key=lambda name: done[name]), programs):
            fields = ACTS[name].__dataclass_fields__.keys()
            body = {key: seen[key] for key in seen.keys() & fields}
            body |= {"kind": name} if name in kinds else {}
            if program.post(f"{deal}/{routes[name]}", dumps(body)).status_code in {200, 201}:
                break
        done[name] += 1

        assert latest(phones[0]) == ACTS[name].event
        body_of = paths[DESCRIBED + routes[name]]["post"]["requestBody"]["content"][
            "application/json"
        ]
        asked = schemas[body_of["schema"]["$ref"].rpartition("/")[2]]["properties"]
        assert {question.name for question in questions(ACTS[name])} <= asked.keys()
    assert done.keys() == routes.keys()


def test_programs_read_of_every_version_and_review_that_acts_write() -> None:
    schemas = described()["components"]["schemas"]

    assert schemas["VersionAct"]["enum"] == [*VERSIONS]
    assert schemas["KindOfReview"]["enum"] == [*KINDS]
