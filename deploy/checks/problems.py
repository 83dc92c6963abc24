# Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
"""What the checkers of packages have in common: collecting problems, and rules for objects in JSON."""

import json
import re
import sys


class Problems(list):
    """Lines that say what is wrong where; a package without any is right."""

    def say(self, where, what):
        self.append(f"{where}: {what}")

    def finish(self, what):
        """Ends the program: status 0 and a line for a right package, 1 and all problems for a wrong one."""
        for problem in self:
            print(problem, file=sys.stderr)
        if not self:
            print(f"{what} is right")
        sys.exit(1 if self else 0)


def read_json(text, where, problems, comments=False):
    """The value that a text has in JSON; None, with a problem, where it has none.

    comments: lines that begin with // are not part of it, as in Cloudera's service.sdl.
    """
    if comments:
        text = re.sub(r"(?m)^\s*//.*$", "", text)
    try:
        return json.loads(text, object_pairs_hook=lambda pairs: _object(pairs, where, problems))
    except ValueError as error:
        problems.say(where, f"not JSON: {error}")
        return None


def _object(pairs, where, problems):
    for name in {name for name, _ in pairs if sum(other == name for other, _ in pairs) > 1}:
        problems.say(where, f"{name} is there twice; leave one")
    return dict(pairs)


# A rule is a function (value, where, problems). These make rules.


def is_a(kind, what):
    def rule(value, where, problems):
        # In Python a bool is an int.
        if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
            problems.say(where, f"must be {what}, is {json.dumps(value)}")

    return rule


text = is_a(str, "a text")
flag = is_a(bool, "true or false")
number = is_a(int, "a whole number")


def matching(pattern, what):
    def rule(value, where, problems):
        if not isinstance(value, str) or not re.fullmatch(pattern, value):
            problems.say(where, f"must be {what}, is {json.dumps(value)}")

    return rule


filled = matching(r"(?s).*\S.*", "a text that is not blank")


def one_of(*values):
    def rule(value, where, problems):
        # In Python 1 is True.
        if not any(value == one and isinstance(value, bool) == isinstance(one, bool) for one in values):
            problems.say(where, f"must be {' or '.join(map(str, values))}, is {json.dumps(value)}")

    return rule


def list_of(item, unique=None, empty=True):
    """unique: names of fields of the items; two of these may not have the same value."""

    def rule(value, where, problems):
        if not isinstance(value, list):
            problems.say(where, f"must be a list, is {json.dumps(value)}")
            return
        if not value and not empty:
            problems.say(where, "must not be empty")
        for index, one in enumerate(value):
            item(one, f"{where}[{index}]", problems)
        for field in unique or ():
            names = [one[field] for one in value if isinstance(one, dict) and isinstance(one.get(field), str)]
            for name in sorted({name for name in names if names.count(name) > 1}):
                problems.say(where, f"two items have the {field} {name}; names have to differ")

    return rule


def map_of(item):
    def rule(value, where, problems):
        if not isinstance(value, dict):
            problems.say(where, f"must be an object, is {json.dumps(value)}")
            return
        for name, one in value.items():
            item(one, f"{where}.{name}", problems)

    return rule


def fields(required, optional=None, further=None):
    """An object with these fields, each with its rule, and no others.

    further: a rule for the whole object; it is asked only where the fields are right.
    """

    def rule(value, where, problems):
        if not isinstance(value, dict):
            problems.say(where, f"must be an object, is {json.dumps(value)}")
            return
        before = len(problems)
        for name in required:
            if name not in value:
                problems.say(where, f"has no {name}")
        rules = {**required, **(optional or {})}
        for name, one in value.items():
            if name in rules:
                rules[name](one, f"{where}.{name}", problems)
            else:
                problems.say(f"{where}.{name}", f"is not known here; known are {', '.join(rules)}")
        if further and len(problems) == before:
            further(value, where, problems)

    return rule
