"""A program with a link's secret, whose every answer is held to the description of the API."""

import json
import re
from functools import cache
from typing import Any
from uuid import uuid4

from werkzeug.test import TestResponse

from tests.api.test_openapi import SPEC, resolved
from tests.web.phones import Phone

SHEET = {"caller": "Ada", "bid": "61", "partner": "Bea", "card_points": 70}
API = "/api/v1"
#: A part of a rule that stands for something; in the description it is a name in braces.
PART = re.compile(r"<(?:\w+(?:\(.*?\))?:)?(\w+)>")


class Bot:
    """A program without cookies, that has the secret of a link into a phone's circle."""

    def __init__(self, phone: Phone, secret: str) -> None:
        self.secret = secret
        self.client = Phone(phone.app).client
        self.circle = f"{API}{phone.circle_url}".rstrip("/")
        self.session = f"{API}{phone.url}".rstrip("/")
        self.deals = f"{self.session}/deals"

    @property
    def player(self) -> str:
        """The key of the first player by name."""
        return str(self.ask(f"{self.circle}/players").get_json()["players"][0]["id"])

    def ask(self, path: str, body: Any = None, method: str = "GET", **headers: str) -> TestResponse:
        """Send a request with the secret; the answer is as it is described."""
        told = body if isinstance(body, bytes) else json.dumps(body)
        data = told if method in {"POST", "PUT", "DELETE"} else None
        sent = {"Authorization": f"Bearer {self.secret}", **headers}
        answer = self.client.open(path, method=method, data=data, headers=sent)
        if answer.is_json and answer.data and not answer.content_encoding:
            self._check(answer, method)
        return answer

    def record(self, number: int = 1, **other: Any) -> TestResponse:
        """Record a deal."""
        deal = {"key": str(uuid4()), "number": number, "sheet": SHEET, **other}
        return self.ask(self.deals, deal, "POST")

    def amend(self, version: int = 1, **other: Any) -> TestResponse:
        """Amend the first deal."""
        change = {"version": version, "reason": "Counted again", "sheet": SHEET, **other}
        return self.ask(f"{self.deals}/1", change, "PUT")

    def change(self, what: str, version: int, **other: Any) -> TestResponse:
        """Void or restore the first deal."""
        change = {"version": version, "reason": "Not ours", **other}
        return self.ask(f"{self.deals}/1/{what}", change, "POST")

    def _check(self, answer: TestResponse, method: str) -> None:
        """Look that an answer is as the route's answers of its status are described."""
        urls = self.client.application.url_map.bind("localhost")
        rule, _ = urls.match(answer.request.path, method, return_rule=True)
        path = PART.sub(r"{\1}", rule.rule.removeprefix(API))
        validator = validator_of(path, method.lower(), str(answer.status_code))
        faults = [f"{one.json_path}: {one.message}" for one in validator.iter_errors(answer.json)]
        assert faults == [], (method, path, answer.status_code)


@cache
def validator_of(path: str, method: str, status: str) -> Any:
    """Give what validates the answers of an operation."""
    from openapi_schema_validator import OAS31Validator  # late: it takes seconds

    responses = SPEC["paths"][path][method]["responses"]
    response = resolved(responses.get(status, responses["default"]))
    return OAS31Validator({**SPEC, **response["content"]["application/json"]["schema"]})


def bot_of(phone: Phone, role: str = "scorekeeper") -> Bot:
    """Make a link into a phone's circle, and a program that has its secret."""
    return Bot(phone, phone.secret(role))


def codes(answer: TestResponse) -> list[str]:
    """List the problems of an answer, each by its code and its field."""
    told = answer.get_json()
    assert told["ok"] is False
    return [f"{problem['code']} {problem['field']}" for problem in told["problems"]]
