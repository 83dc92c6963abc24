# Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
"""Where the content of a file is from."""

import urllib.request


class DownloadSource:
    def __init__(self, name):
        self.name = name

    def get_content(self):
        with urllib.request.urlopen(self.name, timeout=10) as answer:
            return answer.read()
