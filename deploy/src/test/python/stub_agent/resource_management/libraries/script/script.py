# Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
"""Runs a command of a script as Ambari's agent does: SCRIPT COMMAND FILE, where FILE has the settings in JSON."""

import json
import sys

from resource_management.core.environment import Environment
from resource_management.core.exceptions import ClientComponentHasNoStatus, Fail

NO_STATUS = 3


class Script:
    @staticmethod
    def get_config():
        with open(sys.argv[2], encoding="utf-8") as file:
            return json.load(file)

    def execute(self):
        try:
            getattr(self, sys.argv[1].lower())(Environment())
        except Fail as failure:
            print(f"Fail: {failure}", file=sys.stderr)
            sys.exit(1)
        except ClientComponentHasNoStatus:
            sys.exit(NO_STATUS)
