"""What every test run begins with."""

pytest_plugins = ["pytester", "tests.budget", "tests.notebooks.replay"]
