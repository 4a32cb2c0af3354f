"""Web hooks: messages about a circle to addresses outside (docs/hooks.md).

A message is written in the transaction that it reports, and waits until a server sends it. A hook
is claimed before its next message is sent, so that several servers do not send the same one; if a
server dies, another one sends its message again. A failed message is sent again after growing
pauses.
"""

import hmac
import json
import logging
import secrets
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterable, Mapping
from datetime import timedelta
from enum import StrEnum
from pathlib import Path
from threading import Thread
from time import sleep
from typing import Any
from uuid import UUID, uuid4

from flask import Flask
from sqlalchemy.exc import SQLAlchemyError

from scorer.errors import Problem, ScorerError, existing, refuse
from scorer.services.base import journal, outbound
from scorer.services.base.clock import now
from scorer.services.base.roles import Author, Holder, authored
from scorer.services.circle.circles import locked_circle
from scorer.storage import models, queries, transaction, write
from scorer.storage.files import ProcessLock
from scorer.storage.models import Hook, HookMessage
from scorer.texts import say

#: Maximum of hooks of a circle, and of messages that wait in all of them.
MOST_HOOKS, MOST_WAITING = 5, 200
#: What a secret begins with, and its bytes, by the specification (standardwebhooks.com).
PREFIX, SECRET_BYTES = "whsec_", 32
#: Seconds between two looks for what is due.
EVERY = 2.0
#: For how long a hook is claimed: longer than a message takes.
CLAIM = timedelta(seconds=60)
#: The pauses after the first failure of a message, the second…; after one more it is given up.
PAUSES = tuple(timedelta(seconds=s) for s in (10, 60, 300, 1800, 7200, 21600, 43200))

log = logging.getLogger(__name__)


class HookEvent(StrEnum):
    """The events of web hooks; an owner sends `TEST` to try one."""

    DEAL_RECORDED = "deal-recorded"
    DEAL_DISPUTED = "deal-disputed"
    EVENING_ENDED = "evening-ended"
    PAYMENT_MADE = "payment-made"
    TEST = "test"


EVENTS = {
    HookEvent.DEAL_RECORDED: say("a deal is recorded"),
    HookEvent.DEAL_DISPUTED: say("a deal is disputed"),
    HookEvent.EVENING_ENDED: say("an evening ends"),
    HookEvent.PAYMENT_MADE: say("somebody pays somebody"),
}
#: Why a message failed, where it is not the status of an answer.
FULL = "full"
FAILURES = {
    "address": say("the address is not a public one"),
    "name": say("its name is unknown to the DNS"),
    "tls": say("its certificate is not valid"),
    "silence": say("no answer"),
    FULL: say("too many messages wait already"),
}


def listed_hooks(circle_id: UUID) -> list[Hook]:
    """List the web hooks of a circle, oldest first."""
    return queries.circle.hooks(circle_id)


@transaction
def make_hook(
    hook_id: UUID, address: str, events: Iterable[str], by: Holder, *, private: bool
) -> None:
    """Make a web hook, once for each ``hook_id``; raise InvalidError."""
    locked_circle(by.circle_id)
    hooks = queries.circle.hooks(by.circle_id)
    if hook_id in {hook.hook_id for hook in hooks}:
        return
    hook = Hook(
        circle_id=by.circle_id,
        hook_id=hook_id,
        address=address,
        events=" ".join(events),
        secret=PREFIX + b64encode(secrets.token_bytes(SECRET_BYTES)).decode(),
        due_at=now(),
        **authored(by),
    )
    problems = []
    if not outbound.is_readable(address, private=private):
        message = say("Write an address like https://ntfy.sh/our-evenings.")
        problems.append(Problem("bad-address", "address", message))
    if not hook.events:
        problems.append(Problem("nothing", "events", say("Choose what the address is told.")))
    if len(hooks) >= MOST_HOOKS:
        message = say("A circle has at most %(most)s web hooks.", most=MOST_HOOKS)
        problems.append(Problem("too-many", "address", message))
    refuse(problems)
    journal.create(journal.Kind.HOOK_MADE, hook, by, hook=hook.host)


@transaction
def remove_hook(circle_id: UUID, hook_id: UUID, *, by: Author) -> None:
    """Remove a web hook with its waiting messages."""
    locked_circle(circle_id)
    hook = existing(queries.circle.hook_for_update(circle_id, hook_id))
    journal.note(journal.Kind.HOOK_REMOVED, hook, by, before={"hook": hook.host})
    queries.drop(Hook, circle_id, hook_id)


@transaction
def try_hook(circle_id: UUID, hook_id: UUID) -> None:
    """Send a test to a web hook now; this also restarts a stopped one."""
    hook = existing(queries.circle.hook_for_update(circle_id, hook_id))
    hook.given_up_at, hook.attempts, hook.due_at = None, 0, now()
    _queue(HookEvent.TEST, [hook], {})


def tell(
    event: HookEvent, circle_id: UUID, by: Author, data: Callable[[], Mapping[str, Any]]
) -> None:
    """Queue a message to the web hooks of a circle, inside the caller's transaction.

    ``data`` is called only if a hook wants the event. If the circle has no hook, no query is made.
    """
    if by is None or by.hooked:
        hooks = [hook for hook in queries.circle.hooks(circle_id) if event in hook.events.split()]
        if working := [hook for hook in hooks if hook.given_up_at is None]:
            who = {"circle": by.circle, "by": by.player} if by else {}
            _queue(event, working, {**who, **data()})


def session_data(row: models.CardSession) -> dict[str, Any]:
    """Return the data about a session that messages have."""
    return {"session": str(row.session_id), "title": row.title, "game": row.game}


def _queue(event: HookEvent, hooks: Iterable[Hook], data: Mapping[str, Any]) -> None:
    at, message_id = now(), uuid4()
    for hook in hooks:
        if queries.circle.message_count(hook.circle_id) >= MOST_WAITING:
            hook.failed_at, hook.failure = at, FULL
            continue
        body = {"type": event, "timestamp": at.isoformat(), "data": data}
        key = hook.circle_id, hook.hook_id, message_id
        write(HookMessage(circle_id=key[0], hook_id=key[1], message_id=key[2], at=at, body=body))


def send_next(circle_id: UUID, hook_id: UUID, *, private: bool) -> bool:
    """Send the next message of a web hook; return False if another server has claimed it."""
    claimed = _claim(circle_id, hook_id)
    if claimed is not None:
        hook, message = claimed
        body = json.dumps(message.body, ensure_ascii=False).encode()
        headers = {"Content-Type": "application/json", "User-Agent": "Scorer"}
        headers |= signature(hook.secret, f"msg_{message.message_id.hex}", body)
        try:
            status = outbound.post(hook.address, body, headers, private=private)
            failure = "" if 200 <= status < 300 else str(status)
        except outbound.UnreachedError as error:
            failure = str(error)
        _settle(circle_id, hook_id, message.message_id, failure)
    return claimed is not None


@transaction
def _claim(circle_id: UUID, hook_id: UUID) -> tuple[Hook, HookMessage] | None:
    hook = queries.circle.hook_for_update(circle_id, hook_id)
    message = queries.circle.next_message(circle_id, hook_id)
    if hook is None or message is None or hook.due_at > now():
        return None
    hook.due_at = now() + CLAIM
    return hook, message


def signature(secret: str, message_id: str, body: bytes) -> dict[str, str]:
    """Return the headers of Standard Webhooks, by which the receiver knows who sent a message."""
    at = str(int(now().timestamp()))
    text = f"{message_id}.{at}.".encode() + body
    digest = hmac.digest(b64decode(secret.removeprefix(PREFIX)), text, "sha256")
    signed = f"v1,{b64encode(digest).decode()}"
    return {"webhook-id": message_id, "webhook-timestamp": at, "webhook-signature": signed}


@transaction
def _settle(circle_id: UUID, hook_id: UUID, message_id: UUID, failure: str) -> None:
    """Store the result: the message is deleted, waits for another try, or all are given up."""
    hook = queries.circle.hook_for_update(circle_id, hook_id)
    if hook is None:
        return
    hook.failure, hook.due_at = failure, now()
    if not failure:
        hook.attempts, hook.sent_at = 0, now()
        queries.drop(HookMessage, circle_id, hook_id, message_id)
        return
    hook.attempts, hook.failed_at = hook.attempts + 1, now()
    if hook.attempts <= len(PAUSES):
        hook.due_at += PAUSES[hook.attempts - 1]
        return
    hook.given_up_at = now()
    queries.circle.drop_messages(circle_id, hook_id)
    locked_circle(circle_id)
    journal.note(journal.Kind.HOOK_GIVEN_UP, hook, None, after={"hook": hook.host})


class HookSender(Thread):
    """The thread that sends due messages, while its process holds the lock of the server."""

    def __init__(self, app: Flask) -> None:
        super().__init__(name="hooks", daemon=True)
        self._app = app
        self._lock = ProcessLock(Path(app.instance_path, "hooks.lock"))

    def run(self) -> None:
        while True:
            if not (self._is_chosen() and self._send_due()):
                sleep(EVERY)

    def _is_chosen(self) -> bool:
        """Whether this process has the lock; without a lock file all may send, as they claim."""
        try:
            return self._lock.take()
        except OSError:
            return True

    def _send_due(self) -> bool:
        """Send a message to each hook for which one is due; return whether there was any."""
        try:
            with self._app.app_context():
                due = queries.circle.due_hooks(now())
                private = self._app.config["HOOKS_PRIVATE"]
                return sum(send_next(*key, private=private) for key in due) > 0
        except (SQLAlchemyError, ScorerError) as error:
            log.warning("No web hook can be told for now: %s", error)
            return False
