"""Run a command as on the oldest processor of its kind: ``oldest_processor.py COMMAND...``.

NumPy, OpenBLAS, and the C library choose among algorithms by the features of the processor, and
their results differ in the last bit. Records are made without this tool, so a run with it compares
two processors and shows which results depend on rounding.
"""

from __future__ import annotations

import json
import math
import os
import platform
import subprocess
import sys
from hashlib import sha256

import numpy as np
from threadpoolctl import threadpool_info

OLDEST_BLAS = {"x86_64": "Prescott", "amd64": "Prescott", "aarch64": "ARMV8", "arm64": "ARMV8"}
FUNCTIONS = math.sin, math.cos, math.exp, math.atan, math.pow


def variables() -> dict[str, str]:
    """Return the environment in which this computer computes like the oldest of its kind."""
    from numpy._core._multiarray_umath import __cpu_dispatch__

    machine = platform.machine().lower()
    chosen = {"NPY_DISABLE_CPU_FEATURES": " ".join(__cpu_dispatch__)}
    if machine in OLDEST_BLAS:
        chosen["OPENBLAS_CORETYPE"] = OLDEST_BLAS[machine]
    if platform.libc_ver()[0] == "glibc" and OLDEST_BLAS.get(machine) == "Prescott":
        chosen["GLIBC_TUNABLES"] = "glibc.cpu.hwcaps=-AVX2,-FMA,-FMA4"
    return chosen


def computes_by() -> dict[str, str]:
    """Return the features that NumPy and OpenBLAS use, and a digest of results of the C library."""
    from numpy._core._multiarray_umath import __cpu_dispatch__, __cpu_features__

    used = [name for name in __cpu_dispatch__ if __cpu_features__.get(name)]
    blas = {str(library.get("architecture")) for library in threadpool_info()}
    points = (0.003 * k * k + 0.3 for k in range(5000))
    values = [f(x, 0.7) if f is math.pow else f(x % 50) for x in points for f in FUNCTIONS]
    bits = sha256(np.array(values).tobytes()).hexdigest()[:8]
    return {
        "NumPy": " ".join(used) or "nothing beyond the baseline",
        "OpenBLAS": " ".join(sorted(blas)) or "none",
        "libm": f"bits {bits}",
    }


def asked(environment: dict[str, str]) -> dict[str, str]:
    """Return the features that a new process uses in an environment."""
    command = [sys.executable, "-m", "publishing.oldest_processor"]
    answer = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    return dict(json.loads(answer.stdout))


def main() -> int:
    if not sys.argv[1:]:
        print(json.dumps(computes_by()))
        return 0
    played = {**os.environ, **variables()}
    native, oldest = asked(dict(os.environ)), asked(played)
    same = [name for name in native if oldest[name] == native[name]]
    lines = [f"{n}: {oldest[n]}" + ("" if n in same else f", not {native[n]}") for n in native]
    print("Emulating the oldest processor of this kind:", "; ".join(lines), flush=True)
    if "X86_V3" in native["NumPy"] and "GLIBC_TUNABLES" in played and same:
        print(
            "But the emulation had no effect, since the native result is identical:",
            ", ".join(same),
        )
        return 1
    return subprocess.run(sys.argv[1:], env=played, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
