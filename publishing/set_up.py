"""Create the environment .venv and install the course into it, or say what to do.

`make setup` runs it with any Python of this computer; it needs nothing else.
"""

import hashlib
import json
import os
import re
import subprocess
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
#: Files that say which packages are installed.
PINS = ("pyproject.toml", "constraints.txt")
#: JupyterLab asks no questions about news when it starts.
SETTINGS = ("share", "jupyter", "lab", "settings", "overrides.json")
LAB = {
    "@jupyterlab/apputils-extension:notification": {"fetchNews": "false", "checkForUpdates": False}
}
#: Patterns in messages of pip or uv, with remedies.
REMEDIES = (
    (
        r"No space left on device|Errno 28|os error 28|Disk quota exceeded",
        "The disk is full: the course needs 2 GB. Make room, then run the same command again.",
    ),
    (
        r"CERTIFICATE_VERIFY_FAILED|SSLError|UnknownIssuer|invalid peer certificate",
        "This network uses certificates of its own. Ask its administrator for the certificate "
        "file, and set it before you run the same command: export PIP_CERT=/path/to/that/file.pem",
    ),
    (
        r"[Nn]ame resolution|getaddrinfo|nodename nor servname|dns error|NewConnectionError"
        r"|establish a new connection|Network is unreachable|Connection refused|tcp connect error"
        r"|timed out|ProxyError",
        "There is no network connection, or a proxy blocks it. Setup downloads packages once. "
        "Behind a proxy, set it before you run the same command: "
        "export https_proxy=http://its.address:port",
    ),
    (
        r"Failed building wheel|Failed to build|[Uu]nable to find .*compiler|Unknown compiler"
        r"|Microsoft Visual C\+\+|command '[^']*(cc|gcc|clang|cl\.exe)' failed|No such file.*gcc",
        "A package has no wheel for this Python on this computer, and there is no compiler that "
        "could build it. README.md lists the computers and versions of Python with all wheels: "
        "make PYTHON=/path/to/such/a/python3",
    ),
    (
        r"ResolutionImpossible|No matching distribution|No solution found|Cannot install",
        "Some packages are not available for this Python on this computer. README.md lists the "
        "versions of Python that have all of them: make PYTHON=/path/to/such/a/python3",
    ),
)


def promised():
    """Return the oldest and newest supported Python, as (3, minor)."""
    with open(os.path.join(ROOT, "pyproject.toml"), encoding="utf-8") as file:
        minors = [int(minor) for minor in re.findall(r'Python :: 3\.(\d+)"', file.read())]
    return (3, min(minors)), (3, max(minors))


def complaint_about(version):
    """Return what to do if a Python is too old or too new for the course, or an empty text."""
    oldest, newest = promised()
    if oldest <= version <= newest:
        return ""
    return "The course needs Python {}.{} to {}.{}; this is Python {}.{}. Run {}".format(
        *oldest, *newest, *version, f"make PYTHON=/path/to/python3.{newest[1] - 1}"
    )


def remedy(output):
    """Return the remedy for a message of pip."""
    advice_found = [advice for pattern, advice in REMEDIES if re.search(pattern, output)]
    return (
        advice_found[0]
        if advice_found
        else "Setup failed. Read the lines above, then run the command again."
    )


def run(command):
    """Run a command; return whether it succeeded, and its output."""
    try:
        process = subprocess.run(
            command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
    except OSError as error:
        return False, str(error)
    return process.returncode == 0, process.stdout


def stop(output, advice):
    """Exit with the last lines of an output, and a remedy."""
    lines = output.strip().splitlines()[-15:]
    raise SystemExit("\n".join([*lines, advice]))


def digest():
    """Return a digest of the files that say which packages are installed."""
    content = hashlib.sha256()
    for name in PINS:
        with open(os.path.join(ROOT, name), "rb") as file:
            content.update(file.read())
    return content.hexdigest()


def whose(python):
    """Return what an environment belongs to: this folder, and the Python that it was made with."""
    code = "import sys; print(sys.base_prefix, *sys.version_info[:2])"
    worked, output = run([python, "-ISc", code])
    return [ROOT, output.strip()] if worked else []


def is_set_up(folder, asked=""):
    """Return whether an environment is complete, for this folder and this or the asked Python.

    What is installed is compared by content, because the clock of a file may be ahead.
    """
    owner = whose(os.path.join(folder, "bin", "python"))
    if read(os.path.join(folder, "installed")).splitlines() != owner or not owner:
        return False
    if asked and whose(asked) != owner:
        return False
    pins = read(os.path.join(folder, "pins"))
    if pins:
        return pins == digest()
    since = os.path.getmtime(os.path.join(folder, "installed"))
    changed = [os.path.getmtime(os.path.join(ROOT, name)) for name in PINS]
    return not any(since < when <= time.time() for when in changed)


def read(path):
    """Return the text of a file; empty if there is none."""
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except OSError:
        return ""


def write(path, text):
    """Write a text into a file, and create its folder."""
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def mark(folder):
    """Mark an environment as the course's by a package.json that names no kind of script.

    Without it, Node.js takes JupyterLab's scripts for modules, as package.json above says.
    """
    write(os.path.join(folder, "package.json"), "{}\n")


def move_aside(folder):
    """Rename an environment that this program did not make, and say so."""
    marks = ("installed", "pins", "package.json")
    if not os.path.isdir(folder) or any(os.path.exists(os.path.join(folder, m)) for m in marks):
        return
    names = [folder + "-before"] + [f"{folder}-before-{k}" for k in range(2, 100)]
    aside = next(name for name in names if not os.path.exists(name))
    os.rename(folder, aside)
    print(
        f"{folder} already existed and was not created by the course, so it was renamed {aside}. "
        "To install the course in another folder: make VENV=folder",
        flush=True,
    )


def make_environment(folder):
    """Return the Python of an environment, which is recreated if it is incomplete or broken."""
    python = os.path.join(folder, "bin", "python")
    if os.path.exists(os.path.join(folder, "installed")) and run([python, "-c", ""])[0]:
        return python
    try:
        import ensurepip  # noqa: F401
        import venv  # noqa: F401
    except ImportError:
        stop(
            "",
            "This Python cannot create virtual environments. On Debian or Ubuntu: apt "
            "install python3-venv",
        )
    move_aside(folder)
    made, output = run([sys.executable, "-m", "venv", "--clear", folder])
    if not made:
        stop(output, remedy(output))
    return python


def install(python, extras):
    """Install the course and its dependencies with uv, which is ten times as fast, or with pip."""
    pip = [python, "-m", "pip", "install", "--quiet"]
    pinned = ["--constraint", "constraints.txt"]
    wanted = ["--editable", ".[" + extras + "]", *pinned]
    done, output = run([*pip, "--upgrade", "pip", "uv", *pinned])
    if not done:
        stop(output, remedy(output))
    uv = os.path.join(os.path.dirname(python), "uv")
    if run([uv, "pip", "install", "--quiet", "--python", python, *wanted])[0]:
        return
    done, output = run([*pip, *wanted])  # some computers configure the package index for pip only
    if not done:
        stop(output, remedy(output))


def forget_another(folder, asked):
    """Let an environment that belongs to another folder or another Python be recreated."""
    recorded = read(os.path.join(folder, "installed")).splitlines()
    owner = whose(os.path.join(folder, "bin", "python"))
    if recorded and (recorded != owner or (asked and whose(asked) != owner)):
        mark(folder)
        os.remove(os.path.join(folder, "installed"))
        print(f"{folder} was made for another folder or another Python: it is created again.")


def main(folder, extras, asked=""):
    wrong = complaint_about(sys.version_info[:2])
    if wrong:
        raise SystemExit(wrong)
    folder = os.path.join(ROOT, folder)
    print(
        f"Installing the course into {folder}: about a minute, and 1.5 GB of disk ...", flush=True
    )
    forget_another(folder, asked)
    python = make_environment(folder)
    mark(folder)
    install(python, extras)
    write(os.path.join(folder, *SETTINGS), json.dumps(LAB, indent=1))
    write(os.path.join(folder, "pins"), digest())
    write(os.path.join(folder, "installed"), "\n".join([*whose(python), ""]))


if __name__ == "__main__":
    if sys.argv[1] == "--is-set-up":
        print("yes" if is_set_up(*sys.argv[2:]) else "no")
    else:
        main(*sys.argv[1:])
