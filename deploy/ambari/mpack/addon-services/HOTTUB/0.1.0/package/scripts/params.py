# Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
"""What the scripts know: the settings of the cluster, and paths on the host."""

import os

from resource_management.libraries.script.script import Script

config = Script.get_config()
configurations = config["configurations"]
env = configurations["hottub-env"]

archive = env["hottub_archive"].strip()
sha256 = env["hottub_archive_sha256"].strip().lower()
root = env["hottub_root"].rstrip("/")

# One folder for each tarball, so that a new one does not disturb runs on the old.
unpacked = os.path.join(root, sha256[:12])
current = os.path.join(root, "current")
home = os.path.join(current, "home")

# The JDK of the cluster's services, which containers had before.
java_home = config.get("ambariLevelParams", {}).get("java_home", "")

pools = "/run/hottub"
command = "/usr/bin/hottub"
tmpfiles = "/etc/tmpfiles.d/hottub.conf"

smokeuser = configurations["cluster-env"]["smokeuser"]
aux_services = configurations.get("yarn-site", {}).get("yarn.nodemanager.aux-services", "")
