# Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
"""A configuration file of Hadoop."""

import os
import xml.etree.ElementTree as xml

from resource_management.core.resources.system import File


class XmlConfig:
    def __init__(self, filename, conf_dir, configurations, owner=None, group=None, mode=None):
        root = xml.Element("configuration")
        for name, value in sorted(configurations.items()):
            one = xml.SubElement(root, "property")
            xml.SubElement(one, "name").text = name
            xml.SubElement(one, "value").text = value
        File(os.path.join(conf_dir, filename), content=xml.tostring(root), owner=owner, group=group, mode=mode)
