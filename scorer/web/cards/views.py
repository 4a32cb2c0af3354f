"""The card table of a deal as pages draw it: players, cards played, points taken."""

from typing import NamedTuple

from scorer.cards.board import Board
from scorer.cards.games import may_discard
from scorer.cards.line import follow
from scorer.cards.sides import worth_text
from scorer.cards.standing import roles, standing, status
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
    role: Text | str
    card: CardFace | None
    points: str
    turn: bool
    winner: bool
    order: int | None


class TrickLine(NamedTuple):
    """A trick in the list, and the step of the replay that ends it.

    ``best`` is the place of the card that takes it, ``worth`` the card points that its winner
    certainly gets.
    """

    number: int
    forgotten: bool
    cards: list[CardFace]
    leader: Seat | None
    winner: Seat | None
    best: int | None
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
    ``said`` describes the last trick and the next card, ``standing`` how far the result is known.
    """

    board: Board
    places: list[PlayerPlace]
    loose: list[CardFace]
    aside: list[CardFace]
    said: Text
    standing: Text
    status: str

    @property
    def asks_leader(self) -> bool:
        return follow(self.board).turn is None and not self.board.over


def table_view(board: Board, *, laying: bool = False) -> TableView:
    """Draw the table; ``laying`` is whether the next card tapped is laid aside."""
    rows = trick_rows(board)
    lying = rows[-1] if rows else None
    return TableView(
        board=board,
        places=[_place(board, seat, lying) for seat in board.players],
        loose=lying.cards if lying is not None and lying.leader is None else [],
        aside=[_face(board, card) for card in board.aside or ()],
        said=_said(board, lying, laying=laying),
        standing=standing(board),
        status=status(board),
    )


def _place(board: Board, seat: Seat, lying: TrickLine | None) -> PlayerPlace:
    card, order = None, None
    if lying is not None and lying.leader is not None:
        order = board.turns[lying.leader].index(seat) + 1
        card = dict(enumerate(lying.cards, start=1)).get(order)
    return PlayerPlace(
        seat=seat,
        name=board.table.name(seat),
        role=roles(board).get(seat, ""),
        card=card,
        points=worth_text(board, follow(board).taken()[0][seat]),
        turn=seat == follow(board).turn,
        winner=lying is not None and seat == lying.winner,
        order=None if card is None else order,
    )


def _face(board: Board, card: int) -> CardFace:
    if card not in board.deck.pack:
        return CardFace(board.text(card), board.text(card))
    return card_face(board.deck.cards[card], board.deck.letters)


def _said(board: Board, lying: TrickLine | None, *, laying: bool) -> Text:
    """Describe the trick that was taken last, and the next card."""
    if laying and may_discard(board):
        return say("Tap the cards laid aside.")
    if laying:
        return say("All the cards laid aside are known.")
    following = _following(board)
    if lying is None or lying.winner is None:
        return following
    won = _won(board, lying)
    return won if board.over else say("%(before)s %(then)s", before=won, then=following)


def _won(board: Board, lying: TrickLine) -> Text:
    name = board.table.name(lying.winner) if lying.winner is not None else ""
    values = {"name": name, "trick": lying.number, "points": lying.worth}
    aside = follow(board).aside_worth
    if aside is None:
        return say("%(name)s takes trick %(trick)s: %(points)s.", **values)
    return say(
        "%(name)s takes trick %(trick)s: %(points)s, and the cards laid aside: %(aside)s.",
        **values,
        aside=aside,
    )


def _following(board: Board) -> Text:
    turn = follow(board).turn
    if board.over:
        return say("That was the last trick.")
    if turn is None:
        return say("Who leads trick %(trick)s?", trick=board.trick_number)
    name = board.table.name(turn)
    if board.open_trick is None or not board.open_trick.cards:
        return say("%(name)s leads.", name=name)
    return say("%(name)s plays.", name=name)


def trick_rows(board: Board) -> list[TrickLine]:
    line, rows, step = follow(board), list[TrickLine](), 0
    for index, trick in enumerate(board.tricks):
        leader = line.leaders[index]
        cards = [_face(board, card) for card in (() if trick is None else trick.cards)]
        cards = cards if leader is None else cards[: len(board.players)]
        step += 1 if trick is None else len(cards)
        row = TrickLine(
            number=index + 1,
            forgotten=trick is None,
            cards=cards,
            leader=leader,
            winner=line.winners[index],
            best=line.places[index],
            worth=worth_text(board, line.worths[index]),
            step=step,
        )
        rows.append(row)
    return rows


def aside_row(board: Board) -> AsideRow | None:
    """Return the cards laid aside: as they were entered, or what is left once all are played."""
    line, deck, worth = follow(board), board.deck, follow(board).aside_worth
    cards = [_face(board, card) for card in board.aside or ()]
    if board.complete and may_discard(board):
        cards += [card_face(deck.cards[card], deck.letters) for card in line.unseen()]
    if not cards:
        return None
    return AsideRow(cards, None if worth is None else line.winners[-1], worth)
