from scorer.operations import replay

SESSION = {"game": "rubamazzetto", "rules": "three-deals", "seats": ["Ada", "Bea", "Ciro"]}


def test_the_biggest_piles_win_after_three_deals() -> None:
    piles = ([20, 12, 8], [0, 22, 18], [10, 20, 10])

    answer = replay({**SESSION, "deals": [{"sheet": {"cards": cards}} for cards in piles]})

    assert answer["standings"][0] == {"place": 1, "player": "Bea", "balance": 54}
    assert (answer["finished"], answer["winners"]) == (True, ["Bea"])


def test_piles_of_another_number_of_cards_are_refused() -> None:
    answer = replay({**SESSION, "deals": [{"sheet": {"cards": [20, 12, 9]}}]})

    assert [problem["code"] for problem in answer["problems"]] == ["sum-not-40"]
