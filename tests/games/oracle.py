"""A second program that pays deals, written from the rules alone: dictionaries in, figures out."""

from typing import Any

from tests.data.examples import PRESETS

#: The ranks of each deck, from strong to weak.
RANKS = {
    "italian-40": "A 3 K Q J 7 6 5 4 2",
    "french-no-8-9-10": "A 3 K Q J 7 6 5 4 2",
    "french-no-7-8-9": "A 10 K Q J 6 5 4 3 2",
    "no-twos-36": "A 3 K Q J 7 6 5 4",
    "no-fours-36": "A 3 K Q J 7 6 5 2",
}
FRENCH = ("french-no-8-9-10", "french-no-7-8-9")
ROLES = ("caller", "partner", "defender", "alone", "against_alone")
WORTHS = [worth for worth in (11, 10, 4, 3, 2) for _ in range(4)]


def overlay(below: Any, above: Any) -> Any:
    """Lay one JSON value over another, object by object."""
    if not (isinstance(below, dict) and isinstance(above, dict)):
        return above
    return {
        key: overlay(below.get(key), above[key]) if key in above else below[key]
        for key in [*below, *(key for key in above if key not in below)]
    }


def rules_of(rules: Any) -> dict[str, Any]:
    """Give the whole object that a request means by its rules."""
    if isinstance(rules, str):
        return PRESETS[rules]
    whole: dict[str, Any] = overlay(PRESETS[rules.get("preset", "classic")], rules)
    return whole


def declared(bid: str | int) -> int | None:
    """Give the points of a bid, None for a rank."""
    if isinstance(bid, int):
        return bid
    points = bid.split("@")[-1]
    return int(points) if points.isdigit() and int(points) > 10 else None


def target_of(sheet: dict[str, Any], rules: dict[str, Any]) -> int:
    """Give the card points that the caller's side needs."""
    return int(max(rules["floor"], declared(sheet["bid"]) or 0))


def is_drawn(sheet: dict[str, Any], rules: dict[str, Any]) -> bool:
    """Say whether a deal pays nobody: a plain call, and the card points of a draw."""
    drawn, card_points = rules.get("draw") or {}, sheet.get("card_points")
    plain = target_of(sheet, rules) == 61
    return plain and card_points is not None and card_points == drawn.get("card_points")


def possible(rules: dict[str, Any], tricks: int, points: int) -> bool:
    """Say whether a side with so many tricks can have so many card points."""
    hands = rules["players"] + rules.get("dead_hand", False)

    def held(count: int) -> int:
        return sum(WORTHS[: count * hands + rules["monte"]]) if count else 0

    return 120 - held(rules["cards_each"] - tricks) <= points <= held(tricks)


def endings(sheet: dict[str, Any], rules: dict[str, Any]) -> list[tuple[int, int, str]]:
    """List how a deal can have ended by its sheet, the tick left out.

    Each ending has the card points and tricks of the caller's side, and who took everything by the
    test of the rules: ``ours``, ``theirs`` or nobody.
    """
    each, target = rules["cards_each"], target_of(sheet, rules)
    by_tricks = (rules["score"]["cappotto"] or {}).get("test") == "all-tricks"
    return [
        (points, tricks, who)
        for tricks in range(each + 1)
        for points in range(121)
        if points not in (1, 119) and possible(rules, tricks, points)
        if sheet.get("card_points") in (None, points) and sheet.get("tricks_won") in (None, tricks)
        if sheet.get("made") in (None, points >= target)
        if sheet.get("made") is None or not is_drawn({**sheet, "card_points": points}, rules)
        for who in [
            {each: "ours", 0: "theirs"}.get(tricks, "")
            if by_tricks
            else {120: "ours", 0: "theirs"}.get(points, "")
        ]
    ]


def is_lawful(sheet: dict[str, Any], rules: dict[str, Any]) -> bool:
    """Say whether what was counted and ticked fits some deal, and is enough to pay it."""
    if sheet.get("card_points") is None:
        by_points = rules["score"]["kind"] == "declared-points"
        if sheet.get("made") is None or (by_points and not sheet["made"]):
            return False
    ticked = sheet.get("cappotto") if rules["score"]["cappotto"] else None
    return any(ticked in (None, bool(who)) for _, _, who in endings(sheet, rules))


def everything(sheet: dict[str, Any], rules: dict[str, Any], *, made: bool) -> str:
    """Say who took everything: ``ours``, ``theirs`` or nobody; where that is open the tick does."""
    takers = {who for _, _, who in endings(sheet, rules)}
    if sheet.get("cappotto"):
        takers.discard("")
    if len(takers) == 1:
        return takers.pop()
    ticked = "ours" if made else "theirs"
    return ticked if sheet.get("cappotto") else ""


def unit_of(sheet: dict[str, Any], rules: dict[str, Any], value: int, *, made: bool) -> int:
    """Give what one weight is worth: band, then set or add, then all that multiplies."""
    unit = max(band for band in rules["score"]["bands"] if band[0] <= value)[1]
    cappotto = rules["score"]["cappotto"]
    if cappotto:
        counted = ("ours",) if cappotto["side"] == "caller" else ("ours", "theirs")
        if everything(sheet, rules, made=made) in counted:
            change = cappotto["value"]
            unit = {"set": change, "add": unit + change, "times": unit * change}[cappotto["op"]]
    return int(unit * multiplier(sheet, rules))


def multiplier(sheet: dict[str, Any], rules: dict[str, Any]) -> int:
    """Give how often all is paid: what was carried over, and a bid made blind."""
    blind = rules["score"].get("blind", 1) if sheet.get("blind") else 1
    return int(sheet.get("times", 1) * blind)


def pay(request: dict[str, Any]) -> tuple[bool | None, dict[str, int]]:
    """Pay a lawful deal: whether it was made, and what each player is paid."""
    rules, sheet = rules_of(request.get("rules", "classic")), request["sheet"]
    here = list(request["seats"])
    if len(here) > rules["players"]:
        here.remove(request["dealer"])
    points, card_points = declared(sheet["bid"]), sheet.get("card_points")
    target = target_of(sheet, rules)
    if is_drawn(sheet, rules):
        return None, dict.fromkeys(here, 0)
    value = 61 if points is None else points
    made = sheet["made"] if card_points is None else card_points >= target
    ours = [sheet["caller"]] + ([sheet["partner"]] if sheet["partner"] else [])
    if rules["score"]["kind"] == "declared-points":
        win, lose = (
            (value * (3 - len(ours)), 0) if made else (card_points - target, 120 - card_points)
        )
        times = multiplier(sheet, rules)
        return made, {name: (win if name in ours else lose) * times for name in here}
    weights = {role: rules["score"][role] for role in ROLES}
    if not made and rules["score"]["loss"]:
        weights |= {role: w for role, w in rules["score"]["loss"].items() if w is not None}
    unit = unit_of(sheet, rules, value, made=made) * (1 if made else -1)
    paid = {
        name: -unit * weights["defender" if len(ours) == 2 else "against_alone"] for name in here
    }
    for name, role in zip(
        ours, ("caller", "partner") if len(ours) == 2 else ("alone",), strict=True
    ):
        paid[name] = unit * weights[role]
    return made, paid
