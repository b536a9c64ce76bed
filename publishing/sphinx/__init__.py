"""What Sphinx does for the site besides its own: extensions, each in a module."""
