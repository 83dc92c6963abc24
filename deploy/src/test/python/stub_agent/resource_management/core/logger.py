# Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
"""To standard output."""


class Logger:
    @staticmethod
    def info(text):
        print(text)

    @staticmethod
    def warning(text):
        print(f"WARNING: {text}")
