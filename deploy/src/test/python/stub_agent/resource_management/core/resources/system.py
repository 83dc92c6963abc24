# Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
"""The resources as Ambari has them, as far as our scripts use them: what they name is really made, run and removed."""

import grp
import os
import pwd
import shutil
import subprocess

from resource_management.core.environment import inside
from resource_management.core.exceptions import Fail


def set_rights(path, owner, group, mode):
    if mode is not None:
        os.chmod(path, mode)
    # Who is not root makes files of its own.
    if os.getuid() == 0:
        os.chown(path, pwd.getpwnam(owner).pw_uid if owner else -1, grp.getgrnam(group).gr_gid if group else -1)


class Directory:
    def __init__(self, path, action="create", owner=None, group=None, mode=None, create_parents=False):
        inside(path)
        if action == "delete":
            if os.path.exists(path):
                shutil.rmtree(path)
            return
        if not os.path.isdir(path):
            if not create_parents and not os.path.isdir(os.path.dirname(path)):
                raise Fail(f"Applying Directory['{path}'] failed, parent directory {os.path.dirname(path)} doesn't exist")
            os.makedirs(path)
        set_rights(path, owner, group, mode)


class File:
    def __init__(self, path, action="create", content=None, owner=None, group=None, mode=None):
        inside(path)
        if action == "delete":
            # Not a link that leads nowhere.
            if os.path.exists(path):
                os.unlink(path)
            return
        if not os.path.isdir(os.path.dirname(path)):
            raise Fail(f"Applying File['{path}'] failed, parent directory {os.path.dirname(path)} doesn't exist")
        data = content.get_content() if hasattr(content, "get_content") else content
        with open(path, "wb") as file:
            file.write(data.encode() if isinstance(data, str) else data or b"")
        set_rights(path, owner, group, mode)


class Link:
    def __init__(self, path, to=None, action="create"):
        inside(path)
        if os.path.islink(path):
            os.unlink(path)
        elif os.path.lexists(path):
            raise Fail(f"Link['{path}'] is no link")
        if action == "create":
            if not os.path.isdir(os.path.dirname(path)):
                raise Fail(f"Link['{path}']: there is no folder for it")
            os.symlink(to, path)


class Execute:
    def __init__(self, command, user=None, environment=None, logoutput=None, sudo=False, ignore_failures=False):
        words = list(command) if isinstance(command, tuple) else ["bash", "-c", command]
        if user is not None and user != pwd.getpwuid(os.getuid()).pw_name:
            raise AssertionError(f"{words} is to run as {user}, whom the test did not name")
        done = subprocess.run(
            words, env={**os.environ, **(environment or {})}, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
        )
        if done.returncode and not ignore_failures:
            raise Fail(f"Execution of '{command}' returned {done.returncode}. {done.stdout}")
