# Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
"""What Ambari's base class of advisors gives them, as far as ours uses it."""


class ServiceAdvisor:
    def putProperty(self, config, config_type):
        properties = config.setdefault(config_type, {}).setdefault("properties", {})
        return lambda name, value: properties.__setitem__(name, str(value))

    def putPropertyAttribute(self, config, config_type):
        attributes = config.setdefault(config_type, {}).setdefault("property_attributes", {})
        return lambda name, attribute, value: attributes.setdefault(name, {}).__setitem__(attribute, value)

    def toConfigurationValidationProblems(self, problems, config_type):
        return [
            {"type": "configuration", "config-type": config_type, "config-name": one["config-name"], **one["item"]}
            for one in problems
        ]
