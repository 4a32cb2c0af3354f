"""One's own phones: when each was used, leaving a circle, sending one away; kinds of browsers."""

import json
from pathlib import Path

import pytest

from scorer.errors import NotFoundError, RefusedError
from scorer.roles import Role
from scorer.services.base import journal
from scorer.services.circle import circles, phones
from scorer.services.circle.circles import Life
from scorer.services.circle.phones import kind_of_browser
from scorer.storage import queries
from tests.services.evenings import Evening, hold

#: What browsers say that they are, and what they are called.
BROWSERS = Path(__file__).parents[2] / "data/browsers.json"


@pytest.mark.parametrize(("agent", "kind"), json.loads(BROWSERS.read_text("utf-8")))
def test_browser_is_called_by_its_kind_and_its_system(agent: str, kind: str) -> None:
    assert kind_of_browser(agent) == kind


def test_phone_leaves_or_is_sent_away_and_the_journal_says_by_whom(evening: Evening) -> None:
    bea, lost = (evening.let_in(role, "Bea") for role in (Role.SPECTATOR, Role.SPECTATOR))

    phones.send_own_away(bea, lost.phone_id)
    phones.leave(bea)

    for gone in (bea, lost):
        with pytest.raises(NotFoundError):
            circles.holder(evening.circle_id, gone.phone_id)
    entries = queries.journal.entries_of_table(evening.circle_id, "phone")[-2:]
    assert [(one.kind, one.written_by) for one in entries] == [
        *((journal.Kind.SENT_AWAY, "Bea"), (journal.Kind.LEFT, "Bea")),
    ]


@pytest.mark.parametrize("name", ["Ciro", None])
def test_phone_of_another_player_or_of_nobody_is_not_sent_away(
    evening: Evening, name: str | None
) -> None:
    bea, other = evening.let_in(Role.OWNER, "Bea"), evening.let_in(Role.PLAYER, name)
    nobody = evening.let_in(Role.OWNER)

    for by in (bea, nobody):
        with pytest.raises(NotFoundError):
            phones.send_own_away(by, other.phone_id)

    assert circles.holder(evening.circle_id, other.phone_id) == other


@pytest.mark.parametrize("role", [Role.OWNER, Role.SCOREKEEPER, Role.PLAYER, Role.SPECTATOR])
def test_phone_that_says_it_is_somebody_sends_none_of_theirs_away(
    evening: Evening, role: Role
) -> None:
    ada, tablet, mallory = (
        evening.let_in(Role.SPECTATOR if role is Role.SPECTATOR else Role.PLAYER, "Ada"),
        evening.let_in(Role.SPECTATOR, "Ada"),
        evening.let_in(role, "Ada"),
    )

    refused = []
    for phone in (tablet, ada):
        try:
            phones.send_own_away(mallory, phone.phone_id)
        except RefusedError:
            refused.append(phone)

    assert refused == ([] if role is Role.OWNER else [tablet, ada])


def test_hold_that_was_let_go_begins_anew(evening: Evening) -> None:
    ada, other = (evening.let_in(name="Ada") for _ in range(2))
    assert phones.later_phones(hold(ada, "Ada"), [other.phone_id]) == {other.phone_id}

    ada = hold(hold(ada, "Bea"), "Ada")

    assert phones.later_phones(ada, [other.phone_id]) == set()
    assert phones.later_phones(other, [ada.phone_id]) == {ada.phone_id}
    assert [phones.speaks_for_player(one) for one in (ada, other)] == [False, True]
    circles.send_away(evening.circle_id, other.phone_id)
    assert phones.speaks_for_player(ada)


def test_player_is_told_of_phones_that_are_or_were_said_to_be_theirs(evening: Evening) -> None:
    ada = evening.let_in(Role.PLAYER, "Ada")
    assert phones.claims(ada) == []

    mallory = hold(evening.let_in(Role.PLAYER), "Ada")
    [claim] = phones.claims(hold(ada, "Ada"))
    assert (claim.name, claim.ended) == (mallory.name, False)
    assert [one.name for one in phones.claims(mallory)] == [ada.name]

    hold(mallory, "Bea")
    [claim] = phones.claims(circles.holder(ada.circle_id, ada.phone_id))
    assert (claim.name, claim.ended) == (mallory.name, True)

    assert phones.claims(hold(mallory, "Ciro")) == []
    assert [one.ended for one in phones.claims(hold(ada, "Ada"))] == [True]
    later = evening.let_in(Role.PLAYER, "Ada")
    assert [one.name for one in phones.claims(later)] == [ada.name]


@pytest.mark.parametrize(
    ("role", "life", "needs"),
    [
        pytest.param(Role.OWNER, Life.NEVER, False, id="link for good"),
        pytest.param(Role.OWNER, Life.WEEK, True, id="link for a week"),
        pytest.param(Role.PLAYER, Life.NEVER, True, id="link of a player"),
    ],
)
def test_owner_alone_needs_another_way_in(
    evening: Evening, role: Role, life: Life, *, needs: bool
) -> None:
    alone = phones.needs_another_way_in(evening.by)

    circles.make_link(evening.circle_id, "A link", role, life=life)

    assert (alone, phones.needs_another_way_in(evening.by)) == (True, needs)
    assert phones.lacks_link_for_good(evening.by) == needs


def test_second_owner_is_another_way_in_and_who_owns_nothing_needs_none(evening: Evening) -> None:
    keeper = evening.let_in(Role.SCOREKEEPER)
    assert not phones.needs_another_way_in(keeper)

    evening.let_in(Role.OWNER)

    assert not phones.needs_another_way_in(evening.by)
    assert phones.lacks_link_for_good(evening.by)
    assert not phones.lacks_link_for_good(keeper)
