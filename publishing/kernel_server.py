"""Kernels that are forked from a process with the large packages imported.

Importing them takes seconds in each kernel. The process that forks is the fork server of
`multiprocessing`: it has no threads, and it imports no module of this project.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import sys
import threading
import time
from typing import Any

from jupyter_client.manager import AsyncKernelManager

#: Packages whose import has no effects; those of widgets and progress bars look for a kernel.
PRELOADED = (
    "ipykernel.kernelapp",
    "matplotlib.backends.backend_svg",
    "matplotlib.pyplot",
    "scipy.integrate",
    "scipy.optimize",
    "sympy.physics.mechanics",
    "wasmtime",
)
manager: type[AsyncKernelManager] = AsyncKernelManager


def prepare(environment: dict[str, str]) -> None:
    """Let this process fork kernels from now on."""
    global manager
    manager = ForkedKernelManager
    os.environ.update(environment)
    main: Any = sys.modules["__main__"]
    main.__spec__ = main.__file__ = None  # otherwise each kernel imports the main module
    multiprocessing.get_context("forkserver").set_forkserver_preload([*PRELOADED])


class ForkedKernelManager(AsyncKernelManager):
    """Manager of a kernel that is forked."""

    async def _async_launch_kernel(self, kernel_cmd: list[str], **options: Any) -> None:
        command = kernel_cmd[kernel_cmd.index("-f") :]
        arguments = command, options["env"], options["cwd"], os.getpid()
        process = multiprocessing.get_context("forkserver").Process(target=run, args=arguments)
        process.start()
        provisioner: Any = self.provisioner
        provisioner.process, provisioner.pid = Forked(process), process.pid
        self._reconcile_connection_info(provisioner.connection_info)


class Forked:
    """Process with the methods of `subprocess.Popen` that a provisioner calls."""

    stdin = stdout = stderr = None

    def __init__(self, process: Any) -> None:
        self.process, self.kill, self.terminate = process, process.kill, process.terminate

    def wait(self, timeout: float | None = None) -> int | None:
        """Wait for the end; return the exit code, or None after the timeout."""
        self.process.join(timeout)
        code: int | None = self.process.exitcode
        return code

    def poll(self) -> int | None:
        """Return the exit code, or None."""
        return self.wait(0)

    def send_signal(self, number: int) -> None:
        """Send a signal."""
        os.kill(self.process.pid, number)


def run(arguments: list[str], environment: dict[str, str], folder: str, client: int) -> None:
    """Run a kernel in this process until its client shuts it down, or is gone."""
    from ipykernel.kernelapp import IPKernelApp

    threading.Thread(target=end_after, args=[client], daemon=True).start()
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    asyncio.set_event_loop(asyncio.new_event_loop())
    IPKernelApp.launch_instance(arguments, parent_handle=os.getppid())


def end_after(process: int) -> None:
    """End this process a moment after another one."""
    while True:
        try:
            os.kill(process, 0)
        except ProcessLookupError:
            os._exit(1)
        time.sleep(1)
