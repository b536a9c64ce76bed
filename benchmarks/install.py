"""What the compiler adds to an installation: wasmtime, and Numba with LLVM, which it replaced."""

from importlib import metadata


def megabytes(*names: str) -> float | None:
    """Return the size [MB] of installed distributions; None if one is not installed."""
    try:
        files = [file for name in names for file in metadata.files(name) or ()]
    except metadata.PackageNotFoundError:
        return None
    places = (file.locate() for file in files)
    return sum(place.stat().st_size for place in places if place.exists()) / 1e6


def rows() -> list[tuple[str, str, str]]:
    """Return the row of the table."""
    wasmtime, numba = megabytes("wasmtime"), megabytes("numba", "llvmlite")
    what = "size of what compiles, installed, against Numba with llvmlite"
    if wasmtime is None or numba is None:
        return [(what, "not installed", "")]
    return [(what, f"{numba - wasmtime:.0f} MB less", f"{wasmtime:.0f} and {numba:.0f} MB")]
