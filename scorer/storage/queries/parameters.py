"""The parameters of the queries.

Statements are built once, at import, as building one takes longer than running it.
"""

from sqlalchemy import Integer, String, Uuid, bindparam

#: Above the number of every deal: no upper bound.
NO_END = 2**31 - 1

CIRCLE = bindparam("circle_id", type_=Uuid())
CIRCLES = bindparam("circle_ids", type_=Uuid(), expanding=True)
SESSION = bindparam("session_id", type_=Uuid())
SESSIONS = bindparam("session_ids", type_=Uuid(), expanding=True)
DEAL = bindparam("deal_id", type_=Uuid())
DEALS = bindparam("deal_ids", type_=Uuid(), expanding=True)
LINK = bindparam("link_id", type_=Uuid())
PHONE = bindparam("phone_id", type_=Uuid())
RULE_SET = bindparam("rule_set_id", type_=Uuid())
PLAYER = bindparam("player_id", type_=Uuid())
SECRET = bindparam("secret_hash", type_=String())
NUMBER = bindparam("number", type_=Integer())
NUMBERS = bindparam("numbers", type_=Integer(), expanding=True)
UNTIL = bindparam("until", type_=Integer())
BEFORE = bindparam("before", type_=Integer())
LIMIT = bindparam("limit", type_=Integer())
