"""The same application by gunicorn's threads, to compare: `python -m load.threads --port 8001`."""

from argparse import ArgumentParser

from gunicorn.app.base import BaseApplication

from scorer import create_app, storage

THREADS = 8


class Threads(BaseApplication):  # type: ignore[misc]  # gunicorn has no types
    """Gunicorn with workers of so many threads."""

    def load_config(self) -> None:
        """Read the command line."""
        parser = ArgumentParser("load.threads")
        parser.add_argument("--port", type=int, required=True)
        parser.add_argument("--workers", type=int, default=2)
        options = parser.parse_args()
        self.cfg.set("bind", f"127.0.0.1:{options.port}")
        self.cfg.set("workers", options.workers)
        self.cfg.set("worker_class", "gthread")
        self.cfg.set("threads", THREADS)
        self.cfg.set("preload_app", True)
        self.cfg.set("control_socket_disable", True)

    def load(self) -> object:
        """Give the application on a database that is up to date."""
        app = create_app({"LAN_HTTP": True, "LIMITS": {"write": 1_000_000}})
        with app.app_context():
            storage.upgrade()
        return app


if __name__ == "__main__":
    Threads().run()
