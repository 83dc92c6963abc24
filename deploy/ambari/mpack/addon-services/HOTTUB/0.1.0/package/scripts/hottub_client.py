#!/usr/bin/env python3
# Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
"""Installs HotTub on a host, and removes it. There is no process to start: the pool is part of the NodeManager."""

import hashlib
import os
import pwd
import re

from resource_management.core.exceptions import ClientComponentHasNoStatus, Fail
from resource_management.core.logger import Logger
from resource_management.core.resources.system import Directory, Execute, File, Link
from resource_management.core.source import DownloadSource
from resource_management.libraries.script.script import Script


def sha256_of(path):
    digest = hashlib.sha256()
    with open(path, "rb") as file:
        for block in iter(lambda: file.read(1 << 20), b""):
            digest.update(block)
    return digest.hexdigest()


class HotTubClient(Script):
    def install(self, env):
        import params

        env.set_params(params)
        if not re.fullmatch("[0-9a-f]{64}", params.sha256):
            raise Fail("hottub-env/hottub_archive_sha256 is no SHA-256: enter what sha256sum prints of the tarball")
        Directory(params.root, owner="root", group="root", mode=0o755, create_parents=True)
        if not os.path.isdir(params.unpacked):
            self.unpack(params)
        self.configure(env)

    def unpack(self, params):
        """Unpacks the tarball. Its folder is there when all of it is."""
        archive = params.archive
        downloaded = re.match("https?://", archive) is not None
        if downloaded:
            archive = params.unpacked + ".tar.gz"
            File(archive, content=DownloadSource(params.archive), owner="root", group="root", mode=0o600)
        elif not os.path.isfile(archive):
            raise Fail(f"hottub-env/hottub_archive: there is no {archive} on this host; copy it there, or enter a URL")
        found = sha256_of(archive)
        if found != params.sha256:
            raise Fail(
                f"hottub-env/hottub_archive_sha256: {params.archive} has {found}, not {params.sha256}; "
                "correct the setting or replace the file"
            )
        draft = params.unpacked + ".new"
        Directory(draft, action="delete")
        Directory(draft, owner="root", group="root", mode=0o755)
        Execute(("tar", "-xzf", archive, "-C", draft, "--strip-components=1", "--no-same-owner"), sudo=True)
        Execute(("mv", "-T", draft, params.unpacked), sudo=True)
        if downloaded:
            File(archive, action="delete")

    def configure(self, env):
        import params

        env.set_params(params)
        Link(params.current, to=params.unpacked)
        # Jobs trust whom the JDK of this host trusts. Where there is no JDK 17, hottub doctor says what is missing.
        Execute(
            (os.path.join(params.unpacked, "bin/hottub"), "adopt"),
            environment={"JAVA_HOME": params.java_home},
            ignore_failures=True,
        )
        Link(params.command, to=os.path.join(params.current, "bin/hottub"))
        with open(os.path.join(params.unpacked, "conf/tmpfiles.d/hottub.conf"), encoding="utf-8") as file:
            File(params.tmpfiles, content=file.read(), owner="root", group="root", mode=0o644)
        # Sticky: the folder of each user in it is the user's own.
        Directory(params.pools, owner="root", group="root", mode=0o1777)

    def status(self, env):
        raise ClientComponentHasNoStatus()

    def uninstall(self, env):
        """Takes all of it from the host, when YARN does not use it any more."""
        import params

        env.set_params(params)
        if "hottub" in [name.strip() for name in params.aux_services.split(",")]:
            raise Fail(
                "yarn-site/yarn.nodemanager.aux-services still has hottub: set hottub-env/hottub_enabled to false, accept the "
                "recommended settings, restart YARN, and try again"
            )
        self.end_pools(params)
        Link(params.command, action="delete")
        File(params.tmpfiles, action="delete")
        for folder in (params.pools, params.root):
            Directory(folder, action="delete")

    def end_pools(self, params):
        """Ends the idle JVMs of all users; one that serves a run ends after it."""
        hottub = os.path.join(params.current, "bin/hottub")
        for uid in sorted(os.listdir(params.pools) if os.path.isdir(params.pools) else []):
            try:
                user = pwd.getpwuid(int(uid)).pw_name
            except (KeyError, ValueError):
                Logger.warning(f"{params.pools}/{uid} belongs to no user; JVMs there end when they are idle")
                continue
            Execute((hottub, "retire", "--all"), user=user, environment={"HOTTUB_DIR": params.pools})


if __name__ == "__main__":
    HotTubClient().execute()
