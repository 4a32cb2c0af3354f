"""Authorisation of programs in a circle: by the secret of a link or key, within its role.

A view declares the role that its route needs (`scorer.routes`). Cookies are ignored, so a page of
another site can send nothing in a reader's name.
"""

from http import HTTPStatus
from uuid import UUID

from flask import g, jsonify, request
from flask.typing import ResponseReturnValue
from flask_babel import get_locale

from scorer.errors import NotFoundError, RefusedError
from scorer.languages import translate
from scorer.roles import Holder
from scorer.routes import facts_of
from scorer.services.circle.codes_and_tokens import feed_reader
from scorer.services.circle.programs import Program, find_program, note_key_use, writer
from scorer.texts import say

WANTED = say("The secret of a link or of a key is needed: Authorization: Bearer SECRET.")
TOO_LOW = say("The role of this secret is too low. An owner of the circle makes keys and links.")


def enter() -> ResponseReturnValue | None:
    """Authorise the program that sent the request, before any route of a circle."""
    if request.method == "OPTIONS":
        return None
    program = find_program(_secret())
    if program is None:
        return _unauthorized()
    circle = (request.view_args or {}).get("circle", program.by.circle_id)
    if program.by.circle_id != circle:
        raise NotFoundError
    g.program, g.holder = program, program.by
    if not program.by.role.reaches(facts_of(request.endpoint).role):
        raise RefusedError(TOO_LOW)
    note_key_use(program)
    return None


def enter_feed() -> ResponseReturnValue | None:
    """Authorise whoever reads the feed of a circle: by its token, or as a program."""
    token = request.args.get("token")
    if token is None or request.method == "OPTIONS":
        return enter()
    circle = (request.view_args or {})["circle"]
    reader = feed_reader(circle, token, request.args.get("before", type=UUID))
    if reader is None:
        return _unauthorized()
    g.holder = reader
    return None


def _secret() -> str:
    sent = request.authorization
    return sent.token or "" if sent and sent.type == "bearer" else ""


def _unauthorized() -> ResponseReturnValue:
    message = translate(WANTED, get_locale().language)
    problem = {"code": "unauthorized", "field": "", "message": message}
    answer = jsonify(ok=False, problems=[problem])
    answer.headers["WWW-Authenticate"] = "Bearer"
    return answer, HTTPStatus.UNAUTHORIZED


def current_reader() -> Holder:
    phone: Holder = g.holder
    return phone


def current_program() -> Program:
    program: Program = g.program
    return program


def current_writer() -> Holder:
    """Return the phone that the program writes as, which joins now if it has not."""
    program = current_program()
    by = g.holder = writer(program, _secret())
    if not program.joined:
        g.entered = by.circle_id, by.phone_id
    return by
