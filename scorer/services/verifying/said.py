"""Whether what was said of a deal fits what was written for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scorer.services.opinions import DISPUTE, is_open

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scorer.storage import models


def opinion_findings(
    deal: models.Deal, versions: list[models.DealVersion], opinions: list[models.Opinion]
) -> Iterator[str]:
    """Each opinion is of a version that counted, in their order; the deal knows what is open."""
    serials = [opinion.serial for opinion in opinions]
    if serials != list(range(1, len(serials) + 1)):
        yield f"its opinions are numbered {serials}"
    voided = {version.version: version.voided for version in versions}
    for before, opinion in zip([None, *opinions], opinions, strict=False):
        name = f"opinion {opinion.serial}"
        if opinion.version not in voided:
            yield f"{name} is of version {opinion.version}, which is not there"
        elif voided[opinion.version]:
            yield f"{name} is of version {opinion.version}, which was voided"
        if before is not None and before.version > opinion.version:
            yield f"{name} is of an older version than the one before"
        if opinion.kind == DISPUTE and not opinion.reason:
            yield f"{name} disputes it without a reason"
    disputed = not deal.voided and is_open(versions, opinions)
    if deal.disputed != disputed:
        yield f"disputed is {deal.disputed}, but its opinions and versions say otherwise"
