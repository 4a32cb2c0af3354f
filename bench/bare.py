"""What the pages and the writes are compared with: Flask, one row and nothing else.

`python -m bench.bare --port 8001` serves it by the gunicorn of `scorer serve`, from the
database of the instance folder, with the product's engine and session.
"""

from argparse import ArgumentParser
from uuid import UUID, uuid4

from flask import Flask
from sqlalchemy import insert, select

from scorer import serve, settings, storage
from scorer.listening import ListenPlace
from scorer.services.base.clock import now
from scorer.services.live import streams
from scorer.storage import db
from scorer.storage.engine import begin_writing
from scorer.storage.models import Circle

CIRCLE = Circle.metadata.tables["circle"]
COLUMNS = (CIRCLE.c.name, CIRCLE.c.created_at)


def make_app() -> Flask:
    """Make an app of two routes and a sign of life."""
    app, instance = Flask("bare"), settings.instance_folder()
    given = settings.load(instance, {"LAN_HTTP": True})
    app.config.from_mapping({name: one.value for name, one in given.items()})
    app.config["SQLALCHEMY_DATABASE_URI"] = app.config["DATABASE_URL"] or settings.sqlite_url(
        instance
    )
    storage.init_app(app)
    streams.register(app)  # its workers hear each other, as those of the product do
    app.add_url_rule("/health", view_func=dict)
    app.add_url_rule("/row/<uuid:circle_id>", view_func=read)
    app.add_url_rule("/row", view_func=write, methods=["POST"])
    return app


def read(circle_id: UUID) -> dict[str, str]:
    """Read one row by its key."""
    row = db.session.execute(select(*COLUMNS).where(CIRCLE.c.circle_id == circle_id)).one()
    return {"name": row.name, "created_at": row.created_at.isoformat()}


def write() -> tuple[dict[str, str], int]:
    """Write one row in a transaction of its own, on the disk before it is answered."""
    key = uuid4()
    connection = db.session.connection()
    begin_writing(connection)
    connection.execute(insert(CIRCLE).values(circle_id=key, name="Bare", created_at=now()))
    db.session.commit()
    return {"circle_id": str(key)}, 201


def main() -> None:
    """Serve until told to stop."""
    parser = ArgumentParser("bench.bare")
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--workers", type=int, default=2)
    options = parser.parse_args()
    place = ListenPlace("127.0.0.1", options.port)
    serve.run(make_app(), place=place, workers=options.workers, started="bare")


if __name__ == "__main__":
    main()
