#!/usr/bin/env python3
# Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
"""Service check: a small program, run again and again by the smoke user, is served by a warm JVM."""

import json
import os
import tempfile
import time

from resource_management.core.exceptions import Fail
from resource_management.core.logger import Logger
from resource_management.core.resources.system import Execute
from resource_management.libraries.script.script import Script

# The first run starts the JVM. It serves the next one when it is reset, which takes some 10 ms.
RUNS = 5


class HotTubServiceCheck(Script):
    def service_check(self, env):
        import params

        env.set_params(params)
        with tempfile.TemporaryDirectory(prefix="hottub-check-") as folder:
            os.chmod(folder, 0o777)
            trace = os.path.join(folder, "trace")
            for _ in range(RUNS):
                self.run(params, trace)
                served = last_run(trace)
                if served["served"] == "pool" and served["warm"]:
                    Logger.info("a warm JVM has served a run")
                    return
                time.sleep(1)
        raise Fail(
            f"none of {RUNS} runs of {params.smokeuser} found a warm JVM; the last was served by {served['served']}, reason "
            f"{served.get('reason')}: docs/reasons.md in {params.current} says what to do"
        )

    def run(self, params, trace):
        java = os.path.join(params.home, "bin/java")
        library = os.path.join(params.current, "lib/hottub.jar")
        Execute(
            f"{java} -cp {library} io.hottub.protocol.cli.Main help </dev/null",
            user=params.smokeuser,
            environment={"HOTTUB_TRACE": trace, "HOTTUB_DIR": params.pools},
            logoutput=False,
        )


def last_run(trace):
    """What the trace tells of the last run."""
    with open(trace, encoding="utf-8") as file:
        return json.loads(file.readlines()[-1])


if __name__ == "__main__":
    HotTubServiceCheck().execute()
