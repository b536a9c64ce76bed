"""Folders that this computer serves to itself, for as long as a test asks them."""

import functools
import threading
from contextlib import contextmanager
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer


class Quiet(SimpleHTTPRequestHandler):
    """Answers with the files of a folder, and says nothing of it."""

    def log_message(self, *_):
        pass


@contextmanager
def served(folder, handler=Quiet):
    """Serve a folder; return the address of it, which ends by a slash."""
    answer = functools.partial(handler, directory=str(folder))
    with ThreadingHTTPServer(("127.0.0.1", 0), answer) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/"
        finally:
            server.shutdown()
