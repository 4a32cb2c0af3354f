from scorer.charts import BalanceRow, Balances, DealPayouts, balance_table


def test_the_table_has_a_row_a_deal_with_payouts_and_balances() -> None:
    deals = (
        DealPayouts(1, {0: 2, 1: -1, 2: -1}),
        DealPayouts(3, {0: -3, 2: 3}, amended=True),
    )
    assert balance_table(Balances(("Ada", "Bea", "Carla"), (10, 0, 0), deals)) == (
        BalanceRow(1, amended=False, payouts=(2, -1, -1), balances=(12, -1, -1)),
        BalanceRow(3, amended=True, payouts=(-3, None, 3), balances=(9, -1, 2)),
    )


def test_the_table_of_no_deals_is_empty() -> None:
    assert balance_table(Balances(("Ada", "Bea"), (0, 0), ())) == ()
