"""Money in whole cents: what an evening is worth, shares of a cost, and settlement.

A positive account is owed money. The postings of an entry sum to zero. People are any hashable
keys; their order in a mapping breaks ties.
"""

import re
from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any, Generic, NamedTuple, TypeVar
from uuid import UUID, uuid5

from scorer.texts import MINUS, Text, say

Who = TypeVar("Who", bound="Hashable")
Figure = TypeVar("Figure", int, Decimal)

#: A typed amount without thousands separators, and one with them.
PLAIN = re.compile(r"(?P<whole>[0-9]*)(?:[.,](?P<rest>[0-9]*))?")
GROUPED = re.compile(
    r"(?P<whole>[1-9][0-9]{0,2}(?P<group>[.,'’ \u00a0\u202f])[0-9]{3}(?:(?P=group)[0-9]{3})*)"
    r"(?:(?!(?P=group))[.,](?P<rest>[0-9]*))?"
)
LONGEST_AMOUNT = 24
#: Up to so many people the fewest transfers are found, by a table over all their subsets.
EXACT = 12


class Transfer(NamedTuple, Generic[Who]):
    """Cents that one person hands to another."""

    payer: Who
    payee: Who
    cents: int


def read_amount(typed: str, decimals: int) -> int | Text:
    """Read an amount in cents, given the currency's decimals, or return why it is unreadable.

    A point or a comma stands before the decimals; either of them, a space or an apostrophe may
    separate thousands. ``1,000`` is a thousand without decimals, one with three, else refused.

    >>> read_amount("1.234,50", 2), read_amount("1,234.5", 2), read_amount("1'234", 2)
    (123450, 123450, 123400)
    """
    text = typed.strip().replace(MINUS, "-")
    body = text.removeprefix("-")
    plain, grouped = PLAIN.fullmatch(body), GROUPED.fullmatch(body)
    read = grouped if grouped and not decimals else plain or grouped
    if read is None or len(text) > LONGEST_AMOUNT or not re.search("[0-9]", body):
        return say("A number is needed.")
    if plain and grouped and decimals in (1, 2):
        return say(
            "%(typed)s can be read in two ways: write %(whole)s, or at most %(decimals)s decimals.",
            typed=text,
            whole=re.sub("[^-0-9]", "", text),
            decimals=decimals,
        )
    whole, rest = re.sub("[^0-9]", "", read["whole"]), read["rest"] or ""
    if len(rest) > decimals:
        if not decimals:
            return say("This currency has no decimals.")
        return say("This currency has %(decimals)s decimals, and no more.", decimals=decimals)
    cents = int(whole + rest.ljust(decimals, "0"))
    return -cents if text.startswith("-") else cents


def by_points(totals: Mapping[Who, int], stake: int) -> dict[Who, int]:
    """Pay every point; if points don't cancel, the larger side shares the amount of the other.

    >>> by_points({"Ada": 4, "Bea": -1, "Ciro": -2}, 10)
    {'Ada': 30, 'Bea': -10, 'Ciro': -20}
    """
    won = {who: n * stake for who, n in totals.items() if n > 0}
    lost = {who: -n * stake for who, n in totals.items() if n < 0}
    moved = min(sum(won.values()), sum(lost.values()))
    got, paid = shares(moved, won), shares(moved, lost)
    return {who: got.get(who, 0) - paid.get(who, 0) for who in totals}


def pot(paid: Mapping[Who, int], winners: Collection[Who]) -> dict[Who, int]:
    """Share among the winners what everybody pays into the pot.

    >>> pot({"Ada": 500, "Bea": 500, "Ciro": 500}, ["Bea"])
    {'Ada': -500, 'Bea': 1000, 'Ciro': -500}
    """
    won = shares(sum(paid.values()), dict.fromkeys(winners, 1))
    return {who: won.get(who, 0) - cents for who, cents in paid.items()}


def cost(payer: Who, cents: int, parts: Mapping[Who, int], key: UUID) -> list[tuple[Who, int]]:
    """Return the lines to post for a cost: who paid it, and who owes which share of it.

    So that an odd cent doesn't always fall on the same person, ties are broken by the key of the
    cost: the least ``uuid5(key, who)`` comes first.

    >>> cost("Ada", 1000, {"Ada": 1, "Bea": 1, "Ciro": 1}, UUID(int=2))
    [('Ada', 1000), ('Ada', -334), ('Bea', -333), ('Ciro', -333)]
    """
    in_turn = sorted(parts, key=lambda who: uuid5(key, str(who)))
    owing = shares(cents, {who: parts[who] for who in in_turn})
    return [(payer, cents), *((who, -owing[who]) for who in parts if owing[who])]


def shares(cents: int, parts: Mapping[Who, int]) -> dict[Who, int]:
    """Divide an amount in proportion, by largest remainder; ties are broken by order.

    >>> shares(100, {"Ada": 1, "Bea": 1, "Ciro": 1})
    {'Ada': 34, 'Bea': 33, 'Ciro': 33}
    """
    whole = sum(parts.values()) or 1
    cut = {who: divmod(part * cents, whole) for who, part in parts.items()}
    amounts = {who: share for who, (share, _) in cut.items()}
    largest_first = sorted(cut, key=lambda who: -cut[who][1])
    for who in largest_first[: cents - sum(amounts.values())]:
        amounts[who] += 1
    return amounts


def added(postings: Iterable[Mapping[Who, Figure]]) -> dict[Who, Figure]:
    """Return what the figures of each come to."""
    sums: Any = Counter()
    for posted in postings:
        sums.update(posted)
    return dict(sums)


def difference(wanted: Mapping[Who, int], posted: Mapping[Who, int]) -> dict[Who, int]:
    """Return the postings still missing to the wanted ones, without zeros.

    >>> difference({"Ada": 300, "Bea": -300}, {"Ada": 100, "Bea": -300})
    {'Ada': 200}
    """
    more = added([wanted, {who: -cents for who, cents in posted.items()}])
    return {who: cents for who, cents in more.items() if cents}


def transfers(accounts: Mapping[Who, int]) -> list[Transfer[Who]]:
    """Settle accounts greedily: who owes most pays who is owed most, and so on."""
    places = {who: place for place, who in enumerate(accounts)}
    owed = sorted(((n, places[who], who) for who, n in accounts.items() if n > 0), reverse=True)
    owing = sorted((n, places[who], who) for who, n in accounts.items() if n < 0)
    payments: list[Transfer[Who]] = []
    while owed and owing:
        (due, place, payee), (debt, other, payer) = owed.pop(0), owing.pop(0)
        cents = min(due, -debt)
        payments.append(Transfer(payer, payee, cents))
        if due > cents:
            owed.insert(0, (due - cents, place, payee))
        if -debt > cents:
            owing.insert(0, (debt + cents, other, payer))
    return payments


def fewest_transfers(accounts: Mapping[Who, int]) -> list[Transfer[Who]]:
    """Settle accounts that sum to zero by the fewest transfers, up to `EXACT` people.

    A group of n people whose accounts cancel needs n - 1 transfers, so people are split into as
    many such groups as possible. For more people the result is greedy.

    >>> accounts = {"Ada": 5, "Bea": 3, "Ciro": -5, "Dora": -3}
    >>> [tuple(transfer) for transfer in fewest_transfers(accounts)]
    [('Ciro', 'Ada', 5), ('Dora', 'Bea', 3)]
    """
    open_ = {who: cents for who, cents in accounts.items() if cents}
    if len(open_) > EXACT:
        return transfers(open_)
    lines = list(open_.items())
    payments: list[Transfer[Who]] = []
    for group in cancelling(list(open_.values())):
        payments += transfers(dict(lines[place] for place in group))
    return payments


def cancelling(amounts: Sequence[int]) -> list[list[int]]:
    """Split amounts that sum to zero into the most groups that sum to zero, as lists of indexes.

    ``most[subset]`` is the number of groups that a subset, a bit mask, can be split into when its
    amounts are taken away one by one.

    >>> cancelling([5, 3, -5, -3])
    [[0, 2], [1, 3]]
    """
    sums, most = [0] * (1 << len(amounts)), [0] * (1 << len(amounts))
    for subset in range(1, 1 << len(amounts)):
        lowest = subset & -subset
        sums[subset] = sums[subset ^ lowest] + amounts[lowest.bit_length() - 1]
        most[subset] = max(most[subset ^ bit] for bit in _bits(subset)) + (sums[subset] == 0)
    groups: list[list[int]] = []
    left = len(most) - 1
    while left:
        if not sums[left]:
            groups.append([])
        here = most[left] - (sums[left] == 0)
        bit = next(bit for bit in _bits(left) if most[left ^ bit] == here)
        groups[-1].append(bit.bit_length() - 1)
        left ^= bit
    return [sorted(group) for group in groups]


def _bits(subset: int) -> Iterator[int]:
    while subset:
        lowest = subset & -subset
        yield lowest
        subset ^= lowest


def through_banker(accounts: Mapping[Who, int], banker: Who) -> list[Transfer[Who]]:
    """Settle accounts through a banker, whom all debtors pay and who pays all creditors."""
    others = {who: cents for who, cents in accounts.items() if cents and who != banker}
    paid = [Transfer(who, banker, -cents) for who, cents in others.items() if cents < 0]
    return paid + [Transfer(banker, who, cents) for who, cents in others.items() if cents > 0]
