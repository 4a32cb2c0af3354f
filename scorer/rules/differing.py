"""A rule set told by what differs from the nearest preset: short enough for a link."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from scorer.rules.options import options
from scorer.rules.sheet import write

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


def shortest(rules: Any, presets: Iterable[Any]) -> dict[str, Any]:
    """Write a rule set as an override of the preset that leaves the least to be said.

    Of the plain texts, which are no options, only the name is told.
    """
    told = [_over(rules, preset) for preset in presets]
    return min(told, key=lambda document: len(json.dumps(document)))


def _over(rules: Any, preset: Any) -> dict[str, Any]:
    names = [option.name for option in options(type(rules))]
    base, document = write(preset, whole=True), write(rules, whole=True)
    override = _override({name: base[name] for name in names}, document)
    return {"preset": preset.slug, "name": rules.name, **override}


def _override(base: Mapping[str, Any], document: Mapping[str, Any]) -> dict[str, Any]:
    """Give what makes the document when it is merged deeply over the base."""
    found: dict[str, Any] = {}
    for key, old in base.items():
        new = document[key]
        if isinstance(old, dict) and isinstance(new, dict):
            inner = _override(old, new)
            if inner:
                found[key] = inner
        elif old != new:
            found[key] = new
    return found
