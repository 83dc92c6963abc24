# Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
"""As far as our scripts use them."""


class Fail(Exception):
    """A command has failed; its text is what the operator reads."""


class ClientComponentHasNoStatus(Exception):
    """A component without a process is asked for its status."""
