"""Run the two commands on a new computer: ``python -m publishing.fresh`` or `make fresh`.

It installs each Debian in a temporary folder, with git, make, and its own Python, clones this
repository into it, and runs the commands there as an unprivileged user. For root, on Linux, with
``debootstrap``. Packages come from the sources that this computer uses.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import date
from pathlib import Path
from typing import Any

from publishing.execute_notebooks import ROOT

#: Names of Debian's releases, by code name.
DEBIANS = {"bookworm": "Debian 12", "trixie": "Debian 13", "testing": "Debian testing"}
INSTALLED = "ca-certificates,git,make,python3,python3-venv"
HOME = "home/student"
COURSE = f"{HOME}/course"
COMMANDS = ("make book", "make test")
SAID: dict[str, Any] = {
    "stdin": subprocess.DEVNULL,
    "stdout": subprocess.PIPE,
    "stderr": subprocess.STDOUT,
    "text": True,
}
#: Commands of a short test: set-up, one notebook, and some fifty tests.
LIGHT = (
    ".venv/bin/python -m publishing.execute_notebooks notebooks/05-kane/1-partial-velocities.ipynb",
    ".venv/bin/python -m pytest -q tests/tutlib/test_integrate.py",
)
#: Environment variables that tell pip and uv the sources of packages.
PASSED_ON = re.compile(r"(PIP|UV|SSL_CERT|REQUESTS_CA)_\w+|(https?|no)_proxy", re.IGNORECASE)
FILES = ("/etc/resolv.conf", "/etc/hosts")
#: Settings of pip in its files, which become environment variables.
SETTING = re.compile(r"^(?:global|install)\.([\w-]+)='(.*)'$", re.MULTILINE)


def mirror() -> str:
    """Return the mirror from which this computer gets its Debian packages.

    Raises
    ------
    SystemExit
        If none is configured.
    """
    files = [Path("/etc/apt/sources.list"), *Path("/etc/apt/sources.list.d").glob("*")]
    texts = [file.read_text(encoding="utf-8") for file in files if file.is_file()]
    address = re.compile(r"^(?:URIs:|deb(?: \[[^]]*\])?)\s+(\S+/debian)/?(?=\s|$)", re.MULTILINE)
    for text in texts:
        if match := address.search(text):
            return match[1]
    raise SystemExit("/etc/apt names no Debian mirror: name one with --mirror.")


def run(*command: str | Path) -> None:
    """Run a command that must succeed."""
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def trusted() -> dict[str, str]:
    """Return the environment variables that give access to packages from here."""
    pip = subprocess.run([sys.executable, "-m", "pip", "config", "list"], **SAID).stdout
    settings = {f"PIP_{key.upper().replace('-', '_')}": text for key, text in SETTING.findall(pip)}
    return settings | {name: text for name, text in os.environ.items() if PASSED_ON.fullmatch(name)}


@contextmanager
def computer(debian: str, source: str) -> Iterator[Path]:
    """Yield the folder of a new Debian with a clone of this repository, and remove it then."""
    folder = Path(tempfile.mkdtemp(prefix=f"{debian}-"))
    folder.chmod(0o755)
    with ExitStack() as later:
        later.callback(shutil.rmtree, folder)
        run("debootstrap", "--variant=minbase", f"--include={INSTALLED}", debian, folder, source)
        named = [text for text in trusted().values() if text.startswith("/")]
        for file in map(Path, (*FILES, *named)):
            if file.is_file():
                copy = folder / file.relative_to("/")
                copy.parent.mkdir(parents=True, exist_ok=True)
                copy.unlink(missing_ok=True)
                shutil.copy(file.resolve(), copy)
        for kind, target in (("proc", "proc"), ("tmpfs", "dev/shm")):
            (folder / target).mkdir(exist_ok=True)
            run("mount", "-t", kind, kind, folder / target)
            later.callback(run, "umount", "--lazy", folder / target)
        run("chroot", folder, "useradd", "--create-home", "student")
        run("git", "clone", "--quiet", "--no-hardlinks", ROOT, folder / COURSE)
        run("chroot", folder, "chown", "--recursive", "student:student", f"/{COURSE}")
        yield folder


def inside(folder: Path, command: str) -> tuple[bool, str]:
    """Run a command there as an unprivileged user; return whether it passed, and its output."""
    variables = {"HOME": f"/{HOME}", "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", **trusted()}
    done = subprocess.run(
        [
            "chroot",
            "--userspec=student:student",
            folder,
            "env",
            "--ignore-environment",
            *(f"{name}={text}" for name, text in variables.items()),
            "sh",
            "-c",
            f"cd /{COURSE} && {command}",
        ],
        **SAID,
    )
    return done.returncode == 0, done.stdout


def cell(folder: Path, command: str) -> str:
    """Run a command there, and return its result in a few words; print its output if it fails."""
    began = time.monotonic()
    passed, output = inside(folder, command)
    if not passed:
        print(f"$ {command}\n{output}", flush=True)
    skipped = [re.sub(r"\x1b\[\d*m", "", s) for s in re.findall(r".*\d+ skipped: .*", output)]
    minutes = f"{(time.monotonic() - began) / 60:.0f} min"
    return "; ".join([f"{'passes' if passed else 'FAILS'} ({minutes})", *skipped])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("debians", nargs="*", metavar="DEBIAN", help=" or ".join(DEBIANS))
    parser.add_argument("--light", action="store_true", help="set-up, one notebook, fifty tests")
    parser.add_argument("--mirror", help="where packages come from; without it, this computer's")
    arguments = parser.parse_args()
    if os.getuid() or not shutil.which("debootstrap"):
        print("A new Debian is made by root, with debootstrap: on Debian, apt install debootstrap.")
        return 1
    source = arguments.mirror or mirror()
    commands = ("make setup", *LIGHT) if arguments.light else COMMANDS
    rows = [f"| computer, {date.today()} | Python | {' | '.join(f'`{c}`' for c in commands)} |"]
    rows.append("|---" * (2 + len(commands)) + "|")
    for debian in arguments.debians or DEBIANS:
        with computer(debian, source) as folder:
            version = inside(folder, "python3 --version")[1].split()[1]
            cells = [cell(folder, command) for command in commands]
        rows.append(" | ".join([f"| {DEBIANS.get(debian, debian)}", version, *cells]) + " |")
        print(rows[-1], flush=True)
    print("\n".join(rows))
    return int(any("FAILS" in row for row in rows))


if __name__ == "__main__":
    sys.exit(main())
