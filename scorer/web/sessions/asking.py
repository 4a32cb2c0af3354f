"""What the page of a session asks an owner by itself, once: who she is, and for a way back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorer.services.own_phones import needs_another_way_in
from scorer.services.roles import Role
from scorer.web.access import RECOVERY, WHO, current_holder, is_put_off

if TYPE_CHECKING:
    from uuid import UUID

    from scorer.services.score_sheet import ScoreSheet


def founders_names(sheet: ScoreSheet) -> dict[UUID, str]:
    """Give the players to choose from if the founder is to be asked who she is, else none.

    Nobody asked her: everybody else came in by a link, and was asked then.
    """
    here = current_holder()
    asked = here.is_first and here.role is Role.OWNER and here.player_id is None
    if not asked or not sheet.deal_count or is_put_off(WHO, here.circle_id):
        return {}
    return {seat.player_id: seat.name for seat in sheet.state.seats}


def offers_recovery(sheet: ScoreSheet) -> bool:
    """Whether to offer a recovery link: after the evening, to an owner who has no other way in."""
    here = current_holder()
    return (
        sheet.state.row.ended_at is not None
        and not is_put_off(RECOVERY, here.circle_id)
        and needs_another_way_in(here)
    )
