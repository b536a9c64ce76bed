"""What tests of answers share."""

import pytest


@pytest.fixture
def at_once(monkeypatch):
    """Judge what is known to end without trying it in a copy of the process first."""
    monkeypatch.setattr("course.judge.exercise.ends_soon", lambda answer: True)
