import pytest

# Tests that several files share say what they have found, like those in the files.
pytest.register_assert_rewrite("tests.site.every_page", "tests.site.panel")
