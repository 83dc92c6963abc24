# Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
"""What Ambari's documentation and schemas say of the files of a management pack, as rules for their values in JSON, and as
the words that may be in its XML."""

import re
import string

from problems import fields, filled, flag, is_a, list_of, map_of, matching, number, one_of, text

VERSION = matching(r"\d+(\.\d+)*", "numbers with points")
SERVICE = matching("[A-Z0-9_]+", "capitals, digits and _")
MPACK = fields(
    {
        "type": one_of("full-release", "patch-release"),
        "name": filled,
        "version": VERSION,
        "description": filled,
        "prerequisites": fields({"min-ambari-version": VERSION}, {"max-ambari-version": VERSION}),
        "artifacts": list_of(
            fields(
                {
                    "name": filled,
                    "type": one_of("stack-addon-service-definitions"),
                    "source_dir": filled,
                    "service_versions_map": list_of(
                        fields(
                            {
                                "service_name": SERVICE,
                                "service_version": VERSION,
                                "applicable_stacks": list_of(
                                    fields({"stack_name": filled, "stack_version": VERSION}), empty=False
                                ),
                            }
                        ),
                        empty=False,
                    ),
                }
            ),
            unique=["name"],
            empty=False,
        ),
    }
)

# What Ambari asks of a component by its category, and so the methods of its script.
COMMANDS = {
    "MASTER": ("install", "start", "stop", "configure", "status"),
    "SLAVE": ("install", "start", "stop", "configure", "status"),
    "CLIENT": ("install", "configure", "status"),
}
VALUE_TYPES = "string int float boolean directory directories content user host password text value-list custom".split()
PROPERTY_TYPES = "PASSWORD USER GROUP TEXT ADDITIONAL_USER_PROPERTY NOT_MANAGED_HDFS_PATH VALUE_FROM_PROPERTY_FILE".split()
ELEMENTS = {
    "property": "name value description display-name filename deleted final on-ambari-upgrade property-type value-attributes"
    " depends-on property_depended_by",
    "value-attributes": "type maximum minimum unit delete visible overridable empty-value-valid ui-only-property read-only"
    " editable-only-at-install show-property-name increment-step entries entries_editable selection-cardinality"
    " property-file-name property-file-type user-groups",
}

TOKEN = matching(r"\{\{[\w.-]+/[\w.{}-]+\}\}\S*", "a setting as in {{yarn-site/yarn.http.policy}}")
URI = fields(
    {"http": TOKEN},
    {
        "https": TOKEN,
        "https_property": TOKEN,
        "https_property_value": filled,
        "kerberos_keytab": TOKEN,
        "kerberos_principal": TOKEN,
        "default_port": number,
        "connection_timeout": is_a((int, float), "seconds"),
    },
)
THRESHOLD = fields({"text": filled, "value": is_a((int, float), "a number")})
REPORTING = fields(
    {"ok": fields({"text": filled}), "warning": THRESHOLD, "critical": THRESHOLD}, {"units": filled, "type": filled}
)


def placeholders(reporting):
    """The largest number in braces of the texts."""
    numbers = [
        int(field)
        for state in ("ok", "warning", "critical")
        for _, field, _, _ in string.Formatter().parse(reporting[state]["text"])
        if field and field.isdigit()
    ]
    return max(numbers, default=-1)


def metric_texts(source, where, problems):
    properties = source["jmx"]["property_list"]
    # After the properties comes the computed value.
    if placeholders(source["reporting"]) > len(properties):
        problems.say(where, f"a text names more than the {len(properties)} properties")
    for name in properties:
        if not re.fullmatch(r"[^:/]+:[^/]+/\w+", name):
            problems.say(where, f"{name} is no property of a bean as in java.lang:type=Memory/Verbose")


SOURCES = {
    "SCRIPT": fields({"type": one_of("SCRIPT"), "path": matching(r"\S+\.py", "a path of a script")}, {"parameters": list_of(is_a(dict, "an object"))}),
    "METRIC": fields(
        {
            "type": one_of("METRIC"),
            "uri": URI,
            "reporting": REPORTING,
            "jmx": fields({"property_list": list_of(filled, empty=False)}, {"value": filled}),
        },
        further=metric_texts,
    ),
    "AGGREGATE": fields({"type": one_of("AGGREGATE"), "alert_name": filled, "reporting": REPORTING}),
}


def source_of_alert(value, where, problems):
    kind = value.get("type") if isinstance(value, dict) else None
    if kind in SOURCES:
        SOURCES[kind](value, where, problems)
    else:
        problems.say(where, f"type must be {' or '.join(SOURCES)}, is {kind}")


def positive(value, where, problems):
    number(value, where, problems)
    if isinstance(value, int) and value < 1:
        problems.say(where, f"must be one minute or more, is {value}")


ALERTS = map_of(
    map_of(
        list_of(
            fields(
                {
                    "name": matching(r"\w+", "a word"),
                    "label": filled,
                    "description": filled,
                    "interval": positive,
                    "scope": one_of("ANY", "HOST", "SERVICE"),
                    "source": source_of_alert,
                },
                {"enabled": flag},
            ),
            unique=["name"],
        )
    )
)
PORT = fields(
    {"http_property": filled, "http_default_port": matching(r"\d+", "a port as text"), "regex": filled, "site": filled},
    {"https_property": filled, "https_default_port": matching(r"\d+", "a port as text")},
)


def placeholders_of_url(link, where, problems):
    # For protocol, host and port.
    if link["url"].count("%@") != 3:
        problems.say(where, "url needs %@ three times: for protocol, host and port")


QUICK_LINKS = fields(
    {
        "name": filled,
        "description": filled,
        "configuration": fields(
            {
                "protocol": fields(
                    {"type": one_of("http", "https", "HTTP_ONLY", "HTTPS_ONLY")},
                    {"checks": list_of(fields({"property": filled, "desired": filled, "site": filled}))},
                ),
                "links": list_of(
                    fields(
                        {"name": filled, "label": filled, "component_name": SERVICE, "url": filled, "port": PORT},
                        {"requires_user_name": one_of("true", "false")},
                        placeholders_of_url,
                    ),
                    unique=["name"],
                ),
            }
        ),
    }
)
SETTING = fields({"configType": filled, "property": filled}, {"propertyPrefix": filled, "defaultPort": number})
TELEMETRY = fields(
    {
        "schemaVersion": one_of(1),
        "components": map_of(
            fields(
                {
                    "format": one_of("jmx_json", "prometheus_text"),
                    "path": matching("/.*", "a path that begins with /"),
                    "endpoint": fields(
                        {"http": SETTING},
                        {
                            "https": SETTING,
                            "policy": fields({"configType": filled, "property": filled, "httpsValues": list_of(filled)}),
                        },
                    ),
                },
                {"profile": filled, "auth": fields({"principal": SETTING, "keytab": SETTING})},
            )
        ),
    }
)
SERIES = fields(
    {
        "name": matching("[a-z][a-z0-9]*(_[a-z0-9]+)*", "words of small letters and digits with _ between them"),
        "type": one_of("gauge", "counter"),
        "unit": filled,
        "help": filled,
    },
    {"scale": is_a((int, float), "a number")},
)
PROFILE = fields(
    {
        "schemaVersion": one_of(1),
        "id": filled,
        "maxSeries": number,
        "rules": list_of(
            fields(
                {"bean": fields({"domain": filled, "properties": map_of(text)}), "attributes": map_of(SERIES)},
            ),
            empty=False,
        ),
    }
)
ORDER = map_of(is_a((dict, str), "an object"))
