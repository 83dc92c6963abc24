#!/usr/bin/env python3
# Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
"""Alert: whether HotTub on this host is complete, and the root of the pools as it has to be."""

import os
import stat

ROOT_KEY = "{{hottub-env/hottub_root}}"
SHA256_KEY = "{{hottub-env/hottub_archive_sha256}}"
POOLS = "/run/hottub"
OWNER = 0


def get_tokens():
    """The settings that execute is given."""
    return (ROOT_KEY, SHA256_KEY)


def execute(configurations={}, parameters={}, host_name=None):
    """The state of the alert, and a list with one line about it.

    configurations: the values of the tokens
    """
    if not configurations or ROOT_KEY not in configurations:
        return ("UNKNOWN", ["hottub-env/hottub_root is not known"])
    current = os.path.join(configurations[ROOT_KEY], "current")
    java = os.path.join(current, "home/bin/java")
    if not os.access(java, os.X_OK):
        return ("CRITICAL", [f"{java} is no program: all runs are cold; reinstall the component HotTub"])
    wanted = configurations.get(SHA256_KEY, "")[:12].lower()
    if os.path.basename(os.path.realpath(current)) != wanted:
        return ("WARNING", [f"{current} is not of the tarball {wanted}... of hottub-env; reinstall the component HotTub"])
    try:
        pools = os.lstat(POOLS)
    except FileNotFoundError:
        return ("CRITICAL", [f"{POOLS} is missing: run systemd-tmpfiles --create hottub.conf"])
    mode = stat.S_IMODE(pools.st_mode)
    if not stat.S_ISDIR(pools.st_mode) or pools.st_uid != OWNER or mode != 0o1777:
        return ("CRITICAL", [f"{POOLS} must be a folder of root with mode 1777, is of {pools.st_uid} with {mode:o}"])
    return ("OK", [f"{os.path.realpath(current)} is complete"])
