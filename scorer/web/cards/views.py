"""The card table of a deal as pages draw it: players, cards played, points taken."""

from typing import NamedTuple

from scorer.cards.engine import CardDeal, PlayedCard, PlayedTrick, played_cards
from scorer.rules.cards import SUIT_WORDS, Card, Deck, Rank, Suit, card_name, rank_letter
from scorer.rules.seats import Seat
from scorer.texts import Text, say

FIGURES = {Rank.KING: "figure-K", Rank.QUEEN: "figure-Q", Rank.JACK: "figure-J"}


class CardFace(NamedTuple):
    """A drawn card; one that can't be read has only its code, as it was written."""

    code: str
    rank: Text | str
    symbol: str = ""
    figure: str = ""
    name: Text | None = None


def card_face(card: Card, deck: Deck) -> CardFace:
    """Draw a card: French decks print the rank, Italian ones draw the figures."""
    return CardFace(
        code=str(card),
        rank=rank_letter(card.rank, deck),
        symbol=suit_symbol(card.suit, deck),
        figure=FIGURES.get(card.rank, "") if deck.italian else "",
        name=card_name(card, deck),
    )


def suit_symbol(suit: Suit, deck: Deck) -> str:
    """Return the name of the symbol of a suit; French suits have symbols of their own."""
    return f"suit-{suit}" if deck.italian else f"suit-f{suit}"


def suit_faces(deck: Deck) -> list[tuple[Text, list[CardFace]]]:
    """Draw a whole deck: each suit by its name, with its cards from strong to weak."""
    words = SUIT_WORDS[deck.italian]
    return [
        (words[suit], [card_face(card, deck) for card in deck.cards if card.suit == suit])
        for suit in deck.suits
    ]


class PlayerPlace(NamedTuple):
    """A player at the table, the card in the trick with its place from 1, the points taken."""

    seat: int
    name: str
    role: str
    card: CardFace | None
    points: str
    turn: bool
    winner: bool
    order: int | None


class TrickLine(NamedTuple):
    """A trick in the list, its card points, and the step of the replay that ends it."""

    trick: PlayedTrick
    cards: list[CardFace]
    worth: str
    step: int


class AsideRow(NamedTuple):
    """The cards laid aside for the monte, who takes them, and their card points."""

    cards: list[CardFace]
    winner: int | None
    worth: int | None


class TableView(NamedTuple):
    """The table after a number of cards, drawn and described.

    ``loose`` are cards whose players are unknown, ``aside`` those that the caller laid aside;
    ``said`` describes the last trick and the next card.
    """

    deal: CardDeal
    places: list[PlayerPlace]
    loose: list[CardFace]
    aside: list[CardFace]
    said: Text

    @property
    def asks_leader(self) -> bool:
        return self.deal.turn is None and not self.deal.over


def table_view(deal: CardDeal, *, laying: bool = False) -> TableView:
    """Draw the table; ``laying`` is whether the next card tapped is laid aside."""
    lying = deal.played_tricks[-1] if deal.tricks else None
    played = () if lying is None else lying.played
    return TableView(
        deal=deal,
        places=[_place(deal, seat, lying) for seat in deal.players],
        loose=[_face(deal, card) for card in played if card.seat is None],
        aside=[_face(deal, card) for card in played_cards(deal, deal.discards)],
        said=_said(deal, lying, laying=laying),
    )


def _place(deal: CardDeal, seat: Seat, lying: PlayedTrick | None) -> PlayerPlace:
    cards = enumerate(lying.played if lying else (), start=1)
    order, played = next((place for place in cards if place[1].seat == seat), (None, None))
    return PlayerPlace(
        seat=seat,
        name=deal.table.name(seat),
        role=deal.role(seat),
        card=None if played is None else _face(deal, played),
        points=deal.worth_text(deal.points_taken[seat]),
        turn=seat == deal.turn,
        winner=lying is not None and seat == lying.winner,
        order=order,
    )


def _face(deal: CardDeal, played: PlayedCard) -> CardFace:
    if played.card is None:
        return CardFace(played.text, played.text)
    return card_face(played.card, deal.letters.deck)


def _said(deal: CardDeal, lying: PlayedTrick | None, *, laying: bool) -> Text:
    """Describe the trick that was taken last, and the next card."""
    if laying and deal.may_discard:
        return say("Tap the cards laid aside.")
    if laying:
        return say("All the cards laid aside are known.")
    following = _following(deal)
    if lying is None or lying.winner is None:
        return following
    won = _won(deal, lying)
    return won if deal.over else say("%(before)s %(then)s", before=won, then=following)


def _won(deal: CardDeal, lying: PlayedTrick) -> Text:
    name = deal.table.name(lying.winner) if lying.winner is not None else ""
    values = {"name": name, "trick": lying.number, "points": deal.worth_text(lying.worth)}
    if deal.points_aside is None:
        return say("%(name)s takes trick %(trick)s: %(points)s.", **values)
    return say(
        "%(name)s takes trick %(trick)s: %(points)s, and the cards laid aside: %(aside)s.",
        **values,
        aside=deal.points_aside,
    )


def _following(deal: CardDeal) -> Text:
    if deal.over:
        return say("That was the last trick.")
    if deal.turn is None:
        return say("Who leads trick %(trick)s?", trick=deal.trick_number)
    name = deal.table.name(deal.turn)
    if deal.open_trick is None or not deal.open_trick.cards:
        return say("%(name)s leads.", name=name)
    return say("%(name)s plays.", name=name)


def trick_rows(deal: CardDeal) -> list[TrickLine]:
    rows, step = [], 0
    for trick in deal.played_tricks:
        step += 1 if trick.forgotten else len(trick.played)
        cards = [_face(deal, played) for played in trick.played]
        rows.append(TrickLine(trick, cards, deal.worth_text(trick.worth), step))
    return rows


def aside_row(deal: CardDeal) -> AsideRow | None:
    """Return the cards laid aside: as they were entered, or what is left once all are played."""
    cards = [_face(deal, card) for card in played_cards(deal, deal.discards)]
    if deal.layout.complete and deal.may_discard:
        cards += [card_face(card, deal.letters.deck) for card in deal.left]
    if not cards:
        return None
    winner = None if deal.points_aside is None else deal.layout.winners[-1]
    return AsideRow(cards, winner, deal.points_aside)
