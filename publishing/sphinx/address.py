"""Addresses of the course, and the links that depend on them.

``repository_url``, ``site_url``, and ``jupyterlite_url`` are set in ``_config.yml``. With the
first, pages have links to their source, to edit it, to open an issue, and to launch it on Binder,
and the command that clones it. With the second, they have their own address. With the third,
build_book.py links chapters to a JupyterLite with their notebooks. An empty setting gives no links.
"""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.errors import ConfigError
from sphinx.util.docutils import SphinxDirective

#: Hosts for which the theme has links to edit a page and to open an issue.
HOSTS = ("github.com", "gitlab.com")
BINDER = "https://mybinder.org"
#: Icon for all links: the theme's brand icons would need another font.
ICON = "fas fa-code-branch"


def checked(name: str, address: Any) -> str:
    """Return an address without a final slash; reject invalid ones.

    Raises
    ------
    ConfigError
        If it is neither empty nor complete.
    """
    if not address:
        return ""
    url = urlsplit(str(address))
    if url.scheme != "https" or not url.netloc or url.query or url.fragment:
        raise ConfigError(
            f"{name} in _config.yml must be empty or an address such as https://host/course; got "
            f"{address!r}"
        )
    return str(address).rstrip("/").removesuffix(".git")


def follow(app: Sphinx, config: Config) -> None:
    """Configure Sphinx and the theme for the two addresses."""
    config.repository_url = checked("repository_url", config.repository_url)
    config.site_url = checked("site_url", config.site_url)
    if config.site_url:
        config.html_baseurl = f"{config.site_url}/"
    options = config.html_theme_options
    launch = dict(options.get("launch_buttons") or {})
    if not config.repository_url or urlsplit(config.repository_url).netloc not in HOSTS:
        options.pop("launch_buttons", None)  # the theme supports no other hosts
        return
    launch |= {"binderhub_url": BINDER, "notebook_interface": "jupyterlab"}
    options["launch_buttons"] = launch
    options |= {"repository_url": config.repository_url, "repository_branch": "main"}
    options |= {f"use_{what}_button": True for what in ("repository", "edit_page", "issues")}


def forget(app: Sphinx) -> None:
    """Remove the buttons in builds of other formats."""
    if app.builder.name != "html":
        for name in [*app.config.html_theme_options]:
            if name == "launch_buttons" or name.startswith("use_"):
                app.config.html_theme_options.pop(name)


class CloneCommand(SphinxDirective):
    """Directive with the command that clones the course, or words if its address is unknown."""

    def run(self) -> list[nodes.Node]:
        """Return the command and instructions."""
        address = self.config.repository_url
        if not address:
            text = (
                "Get the folder of the course from whoever gave you this page, or clone its "
                "repository with git. Then, in that folder:"
            )
            return [nodes.paragraph("", text)]
        command = f"git clone {address}\ncd {address.rpartition('/')[2]}"
        return [
            nodes.paragraph("", "Clone the course with git, and go to its folder:"),
            nodes.literal_block(command, command, language="none"),
            nodes.paragraph("", "Then, there:"),
        ]


def show_known_icons(
    app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: Any
) -> None:
    """Replace brand icons of buttons by an icon of the pages' font."""
    groups = context.get("header_buttons", [])
    for button in [
        *groups,
        *(button_in_group for group in groups for button_in_group in group.get("buttons", [])),
    ]:
        if button.get("icon", "").startswith("fab "):
            button["icon"] = ICON


def setup(app: Sphinx) -> dict[str, Any]:
    for name in ("repository_url", "site_url", "jupyterlite_url"):
        app.add_config_value(name, "", "env", [str])
    app.add_directive("clone-command", CloneCommand)
    app.connect("config-inited", follow)
    app.connect("builder-inited", forget, priority=400)
    app.connect("html-page-context", show_known_icons, priority=600)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
