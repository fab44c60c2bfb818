"""A TPM 2.0 in software on two ports of the loopback interface, for the length of a measurement."""

import shutil
import socket
import subprocess
import time


class SoftwareTPM:
    """Starts swtpm with a fresh state below `folder`; stops it at the end of the `with`."""

    def __init__(self, folder):
        self.folder = folder
        self.port = self.free_ports()

    @staticmethod
    def is_installed():
        return shutil.which("swtpm") is not None

    @staticmethod
    def free_ports():
        """A port that is free, as is the next: the control channel's."""
        while True:
            with socket.socket() as first, socket.socket() as second:
                first.bind(("127.0.0.1", 0))
                port = first.getsockname()[1]
                try:
                    second.bind(("127.0.0.1", port + 1))
                    return port
                except (OSError, OverflowError):
                    continue

    @property
    def address(self):
        return f"swtpm:host=127.0.0.1,port={self.port}"

    def __enter__(self):
        self.process = subprocess.Popen(
            ["swtpm", "socket", "--tpm2", "--tpmstate", f"dir={self.folder}", "--server", f"type=tcp,port={self.port}",
             "--ctrl", f"type=tcp,port={self.port + 1}", "--flags", "not-need-init,startup-clear"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for _ in range(500):
            try:
                socket.create_connection(("127.0.0.1", self.port), timeout=1).close()
                return self
            except OSError:
                time.sleep(0.01)
        self.__exit__()
        raise RuntimeError("swtpm did not start")

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
