# Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
"""A stand-in for Ambari's agent: runs the scripts of the management pack, for real, below a folder instead of the root.

ambari_agent.py FOLDER TARBALL COMMAND...: runs these commands one after the other, on a new host in FOLDER.
"""

import getpass
import hashlib
import importlib.util
import json
import os
import pathlib
import subprocess
import sys
import xml.etree.ElementTree as xml

from packages import DEPLOY

SERVICE = DEPLOY / "ambari/mpack/addon-services/HOTTUB/0.1.0"
STUB = pathlib.Path(__file__).resolve().parent / "stub_agent"


def defaults(site):
    """The settings of a configuration file of the service."""
    root = xml.parse(SERVICE / f"configuration/{site}.xml").getroot()
    return {one.findtext("name"): one.findtext("value") or "" for one in root}


def load(path):
    """A module of the pack."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Agent:
    """A host of a cluster with the service."""

    def __init__(self, folder, tarball):
        self.root = folder / "host"
        self.settings_file = folder / "command.json"
        for present in ("usr/bin", "usr/lib", "etc/tmpfiles.d", "run"):
            (self.root / present).mkdir(parents=True)
        self.env = defaults("hottub-env")
        self.env["hottub_archive"] = str(tarball)
        self.env["hottub_archive_sha256"] = hashlib.sha256(tarball.read_bytes()).hexdigest()
        self.yarn_site = {}

    def run(self, command, script="hottub_client.py"):
        """What a command wrote, and its exit status."""
        configurations = {
            "hottub-env": self.env,
            "hottub-site": defaults("hottub-site"),
            "yarn-site": self.yarn_site,
            "cluster-env": {"smokeuser": getpass.getuser()},
        }
        self.settings_file.write_text(json.dumps({"configurations": configurations}))
        done = subprocess.run(
            [sys.executable, "-B", "-W", "error", SERVICE / "package/scripts" / script, command, self.settings_file],
            env={**os.environ, "PYTHONPATH": str(STUB), "STUB_ROOT": str(self.root)},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        return done.returncode, done.stdout

    def files(self):
        """All files and folders of the host, with where links lead."""
        return {
            str(path.relative_to(self.root)): os.readlink(path) if path.is_symlink() else None
            for path in self.root.rglob("*")
        }


def main():
    agent = Agent(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]))
    for command in sys.argv[3:]:
        script = "service_check.py" if command == "SERVICE_CHECK" else "hottub_client.py"
        status, out = agent.run(command, script)
        print(f"{command}: {status}\n{out}")
        if status:
            sys.exit(status)


if __name__ == "__main__":
    main()
