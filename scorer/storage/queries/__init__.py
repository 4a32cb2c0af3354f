"""Every question put to the database is one function here, and each is scoped by circle."""

from scorer.storage.queries.balances import amended_numbers
from scorer.storage.queries.balances import balances
from scorer.storage.queries.balances import drop_payouts
from scorer.storage.queries.balances import last_payouts
from scorer.storage.queries.balances import payout_matrix
from scorer.storage.queries.checking import Stray
from scorer.storage.queries.checking import stored_deals
from scorer.storage.queries.checking import stored_opinions
from scorer.storage.queries.checking import stored_payouts
from scorer.storage.queries.checking import stored_versions
from scorer.storage.queries.checking import strays
from scorer.storage.queries.circles import PhoneRow
from scorer.storage.queries.circles import circle
from scorer.storage.queries.circles import circle_for_update
from scorer.storage.queries.circles import circle_ids
from scorer.storage.queries.circles import circles
from scorer.storage.queries.circles import drop_circle
from scorer.storage.queries.circles import link
from scorer.storage.queries.circles import link_by_secret
from scorer.storage.queries.circles import links
from scorer.storage.queries.circles import opened_by
from scorer.storage.queries.circles import owner_count
from scorer.storage.queries.circles import phone
from scorer.storage.queries.circles import phone_and_holder
from scorer.storage.queries.circles import phones
from scorer.storage.queries.circles import phones_of_link
from scorer.storage.queries.deals import DealRow
from scorer.storage.queries.deals import PastDeal
from scorer.storage.queries.deals import SatOutRow
from scorer.storage.queries.deals import VersionRow
from scorer.storage.queries.deals import all_deals
from scorer.storage.queries.deals import deal
from scorer.storage.queries.deals import deal_by_key
from scorer.storage.queries.deals import deal_to_change
from scorer.storage.queries.deals import deal_versions
from scorer.storage.queries.deals import deals_by_key
from scorer.storage.queries.deals import deals_since_last_played
from scorer.storage.queries.deals import newest_deals
from scorer.storage.queries.deals import played_count
from scorer.storage.queries.deals import sat_out
from scorer.storage.queries.deals import standing_outcomes
from scorer.storage.queries.history import DealKey
from scorer.storage.queries.history import Sought
from scorer.storage.queries.history import SoughtSession
from scorer.storage.queries.history import sought_deals
from scorer.storage.queries.history import sought_sessions
from scorer.storage.queries.opinions import DisputeRow
from scorer.storage.queries.opinions import OpinionRow
from scorer.storage.queries.opinions import confirmed
from scorer.storage.queries.opinions import disputes
from scorer.storage.queries.opinions import last_recorded
from scorer.storage.queries.opinions import opinions
from scorer.storage.queries.paid import SessionState
from scorer.storage.queries.paid import paid_deals
from scorer.storage.queries.paid import seated_players
from scorer.storage.queries.paid import session_chains
from scorer.storage.queries.paid import session_states
from scorer.storage.queries.players import SessionName
from scorer.storage.queries.players import hand_over
from scorer.storage.queries.players import player
from scorer.storage.queries.players import players
from scorer.storage.queries.players import players_last_used_first
from scorer.storage.queries.players import shared_sessions
from scorer.storage.queries.rule_sets import RuleSetRow
from scorer.storage.queries.rule_sets import rule_set_for_update
from scorer.storage.queries.rule_sets import rule_set_names
from scorer.storage.queries.rule_sets import rule_set_versions
from scorer.storage.queries.rule_sets import rule_sets
from scorer.storage.queries.sessions import SeatRow
from scorer.storage.queries.sessions import SessionRow
from scorer.storage.queries.sessions import Standing
from scorer.storage.queries.sessions import changes_by_session
from scorer.storage.queries.sessions import drop_started
from scorer.storage.queries.sessions import games_played
from scorer.storage.queries.sessions import keep_session
from scorer.storage.queries.sessions import open_sessions
from scorer.storage.queries.sessions import seats
from scorer.storage.queries.sessions import seats_by_session
from scorer.storage.queries.sessions import session
from scorer.storage.queries.sessions import session_changes
from scorer.storage.queries.sessions import session_count
from scorer.storage.queries.sessions import session_for_update
from scorer.storage.queries.sessions import session_ids
from scorer.storage.queries.sessions import sessions
from scorer.storage.queries.sessions import sessions_by_key
from scorer.storage.queries.sessions import started_deal
from scorer.storage.queries.tricks import TrickRow
from scorer.storage.queries.tricks import session_tricks
from scorer.storage.queries.tricks import tricks

__all__ = [
    "DealKey",
    "DealRow",
    "DisputeRow",
    "OpinionRow",
    "PastDeal",
    "PhoneRow",
    "RuleSetRow",
    "SatOutRow",
    "SeatRow",
    "SessionName",
    "SessionRow",
    "SessionState",
    "Sought",
    "SoughtSession",
    "Standing",
    "Stray",
    "TrickRow",
    "VersionRow",
    "all_deals",
    "amended_numbers",
    "balances",
    "changes_by_session",
    "circle",
    "circle_for_update",
    "circle_ids",
    "circles",
    "confirmed",
    "deal",
    "deal_by_key",
    "deal_to_change",
    "deal_versions",
    "deals_by_key",
    "deals_since_last_played",
    "disputes",
    "drop_circle",
    "drop_payouts",
    "drop_started",
    "games_played",
    "hand_over",
    "keep_session",
    "last_payouts",
    "last_recorded",
    "link",
    "link_by_secret",
    "links",
    "newest_deals",
    "open_sessions",
    "opened_by",
    "opinions",
    "owner_count",
    "paid_deals",
    "payout_matrix",
    "phone",
    "phone_and_holder",
    "phones",
    "phones_of_link",
    "played_count",
    "player",
    "players",
    "players_last_used_first",
    "rule_set_for_update",
    "rule_set_names",
    "rule_set_versions",
    "rule_sets",
    "sat_out",
    "seated_players",
    "seats",
    "seats_by_session",
    "session",
    "session_chains",
    "session_changes",
    "session_count",
    "session_for_update",
    "session_ids",
    "session_states",
    "session_tricks",
    "sessions",
    "sessions_by_key",
    "shared_sessions",
    "sought_deals",
    "sought_sessions",
    "standing_outcomes",
    "started_deal",
    "stored_deals",
    "stored_opinions",
    "stored_payouts",
    "stored_versions",
    "strays",
    "tricks",
]
