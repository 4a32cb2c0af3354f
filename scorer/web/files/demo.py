"""The start page's button of `scorer serve --demo`: an invented circle for each visitor."""

from http import HTTPStatus

from flask import abort, current_app, flash, redirect, request, url_for
from flask.typing import ResponseReturnValue
from flask_babel import gettext

from scorer.routes import Routes
from scorer.services.circle.phones import kind_of_browser
from scorer.services.files import demo
from scorer.web.base import access

pages = Routes("demo", __name__)


@pages.post("/demo", limit="demo")
def begin() -> ResponseReturnValue:
    """Make a circle whose owner is this browser."""
    if not current_app.config["DEMO"]:
        abort(HTTPStatus.NOT_FOUND)
    holder = demo.begin_for_visitor(kind_of_browser(request.user_agent.string))
    access.remember(holder.circle_id, holder.phone_id)
    flash(gettext("This circle is invented and yours alone. It is deleted after an hour."), "ok")
    return redirect(url_for("circles.show", circle_id=holder.circle_id), HTTPStatus.SEE_OTHER)
