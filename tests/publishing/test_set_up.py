"""Set-up that cannot go on says what to do; each way in which it fails is played here."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from publishing import set_up

pytestmark = [
    pytest.mark.tools,
    pytest.mark.skipif(os.name == "nt", reason="set-up by make is for Linux and macOS"),
]
SCRIPT = Path(set_up.__file__)
PYTHON = """#!/bin/sh
echo "$*" >> "$0.calls"
case "$*" in
    -c*) ;;
    *--editable*|*"$FAILS"*) echo "$SAID"; exit "$STATUS" ;;
esac
"""


@pytest.fixture
def environment(tmp_path):
    """Return an environment that was finished once, with stand-ins for its programs."""
    (tmp_path / "bin").mkdir()
    (tmp_path / "installed").write_text(f"{set_up.ROOT}\n\n", encoding="utf-8")
    (tmp_path / "package.json").write_text("{}", encoding="utf-8")
    for name in ("python", "uv"):
        program = tmp_path / "bin" / name
        program.write_text(PYTHON, encoding="utf-8")
        program.chmod(0o755)
    return tmp_path


def played(folder, said="", status=1, before="pass", fails="nothing"):
    """Set a folder up, while pip and uv say this; return the exit code and what is printed."""
    argv = [str(SCRIPT), str(folder), "lab"]
    code = f"import runpy, sys; {before}; sys.argv = {argv}"
    code += "; runpy.run_path(sys.argv[0], run_name='__main__')"
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=os.environ | {"SAID": said, "STATUS": str(status), "FAILS": fails},
        capture_output=True,
        text=True,
    )
    return done.returncode, done.stdout + done.stderr


@pytest.mark.parametrize(
    ("said", "advice"),
    [
        ("ERROR: Could not install packages: [Errno 28] No space left on device", "disk is full"),
        ("error: failed to write: No space left on device (os error 28)", "disk is full"),
        ("SSLError(SSLCertVerificationError(1, '[SSL: CERTIFICATE_VERIFY_FAILED]", "PIP_CERT"),
        ("invalid peer certificate: UnknownIssuer", "PIP_CERT"),
        ("NewConnectionError: [Errno -3] Temporary failure in name resolution", "no network"),
        ("ProxyError('Cannot connect to proxy.', OSError('Tunnel failed: 403'))", "https_proxy"),
        ("error: command 'x86_64-linux-gnu-gcc' failed: No such file or directory", "compiler"),
        ("ERROR: Failed building wheel for numpy", "no compiler"),
        ("error: Microsoft Visual C++ 14.0 or greater is required", "no compiler"),
        ("ERROR: ResolutionImpossible: for help visit", "Some packages are not available"),
        ("ERROR: No matching distribution found for numpy==2.4.6", "README.md"),
        ("something that nobody has seen yet", "Read the lines above"),
    ],
)
def test_what_pip_says_comes_with_what_to_do(said, advice):
    assert advice in set_up.remedy(said)


@pytest.mark.parametrize("fails", ["--editable", "--upgrade"])
def test_it_ends_with_what_was_said_and_what_to_do(environment, fails):
    said = "ERROR: Failed building wheel for numpy"
    status, printed = played(environment, said, fails=fails)
    begun = f"Installing the course into {environment}: about a minute, and 1.5 GB of disk ..."
    assert (status, printed.splitlines()) == (1, [begun, said, set_up.remedy(said)])


@pytest.mark.parametrize("module", ["venv", "ensurepip"])
def test_a_python_that_makes_no_environments(tmp_path, module):
    status, printed = played(tmp_path / "new", before=f"sys.modules['{module}'] = None")
    assert status == 1
    assert printed.strip().endswith("On Debian or Ubuntu: apt install python3-venv")


def test_a_python_that_is_too_old_or_too_new():
    oldest, newest = set_up.promised()
    for version in (oldest, newest, (3, 13)):
        assert set_up.complaint_about(version) == ""
    for version in ((3, oldest[1] - 1), (3, newest[1] + 1), (3, 6)):
        told = set_up.complaint_about(version)
        assert f"needs Python 3.{oldest[1]} to 3.{newest[1]}; this is Python 3.{version[1]}" in told
        assert "make PYTHON=/path/to/python3." in told


@pytest.mark.parametrize("half", ["no stamp", "no Python"])
def test_half_an_environment_is_made_anew(environment, monkeypatch, half):
    real, asked = set_up.run, []

    def without_pip(command):
        asked.append(command)
        return real([*command, "--without-pip"] if "venv" in command else command)

    monkeypatch.setattr(set_up, "run", without_pip)
    if half == "no stamp":
        (environment / "installed").unlink()
    else:
        (environment / "bin" / "python").unlink()
        (environment / "bin" / "python").symlink_to(environment / "gone")
    python = set_up.make_environment(str(environment))
    assert "--clear" in asked[-1]
    assert real([python, "-c", "import sys; sys.exit(sys.prefix == sys.base_prefix)"])[0]
    assert not (environment / "bin" / "uv").exists()


def test_an_environment_of_the_reader_is_moved_aside_and_named(tmp_path, capsys):
    own = tmp_path / "env" / "lib" / "notes.txt"
    own.parent.mkdir(parents=True)
    own.write_text("mine", encoding="utf-8")
    set_up.move_aside(str(tmp_path / "env"))
    assert (tmp_path / "env-before" / "lib" / "notes.txt").read_text(encoding="utf-8") == "mine"
    assert "make VENV=folder" in capsys.readouterr().out
    set_up.move_aside(str(tmp_path / "env"))
    assert not capsys.readouterr().out


def test_what_is_installed_is_compared_by_content_and_not_by_time(tmp_path, monkeypatch):
    (tmp_path / "env").mkdir()
    for name in set_up.PINS:
        (tmp_path / name).write_text("pins", encoding="utf-8")
    monkeypatch.setattr(set_up, "ROOT", str(tmp_path))
    monkeypatch.setattr(set_up, "whose", lambda python: [str(tmp_path), "3 11"])
    env = str(tmp_path / "env")
    assert not set_up.is_set_up(env)
    (tmp_path / "env" / "installed").write_text(f"{tmp_path}\n3 11\n", encoding="utf-8")
    ahead = time.time() + 8 * 3600
    os.utime(tmp_path / "pyproject.toml", (ahead, ahead))
    assert set_up.is_set_up(env)  # made before contents were written down
    set_up.write(str(tmp_path / "env" / "pins"), set_up.digest())
    assert set_up.is_set_up(env)
    (tmp_path / "pyproject.toml").write_text("other pins", encoding="utf-8")
    assert not set_up.is_set_up(env)
