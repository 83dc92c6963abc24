# Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
"""What a script runs in: a folder instead of the root of the file system."""

import os

ROOT = os.environ["STUB_ROOT"]


class Environment:
    def set_params(self, params):
        """Puts all paths that the script has for the host below the folder."""
        for name, value in vars(params).items():
            if isinstance(value, str) and value.startswith("/") and name != "archive" and not name.startswith("_"):
                if not value.startswith(ROOT):
                    setattr(params, name, ROOT + value)


def inside(path):
    """The path, which has to be below the folder."""
    if not os.path.normpath(path).startswith(ROOT + "/"):
        raise AssertionError(f"the script would change {path} of this machine")
    return path
