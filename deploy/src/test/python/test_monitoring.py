# Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
"""Dashboards for Grafana and alert rules for Prometheus: their form, and that they ask for nothing but our metrics."""

import json
import re
import unittest

from packages import DEPLOY, ROOT, documented_metrics

DASHBOARDS = sorted((DEPLOY / "dist/conf/grafana").glob("*.json"))
RULES = DEPLOY / "dist/conf/prometheus/hottub-rules.yml"
RULE_TESTS = DEPLOY / "src/test/prometheus/hottub-rules-test.yml"
PAGE = ROOT / "docs/monitoring.md"
SOURCES = ROOT / "yarn-auxservice/src/main/java/io/hottub/yarn"

UNITS = {"short", "percentunit", "ops", "bytes", "ms", "µs"}
VARIABLES = {"$datasource", "$node", "$job", "$__range", "$__rate_interval"}

# What Prometheus adds to every sample.
ANY_NODE = {"instance", "job"}


def declared_metrics():
    """The names of all metrics in the code, by kind; what is put together there ends with a dot."""
    code = "".join(file.read_text() for file in SOURCES.rglob("*.java"))
    kinds = {
        kind: set(re.findall(kind + r'\(\s*"([a-z_.]+[a-z_.-]*)"', code)) for kind in ("counter", "gauge", "histogram")
    }
    # Named by RunMetrics for warm and first runs, by LaunchRouter for engines and outcomes.
    kinds["histogram"].update(re.findall(r'\? "(runs\.[a-z_]+)" : "(runs\.[a-z_]+)"', code)[0])
    kinds["counter"].update(re.findall(r'return "(launch\.)" \+', code))
    return kinds


def labels():
    """Families of metrics whose last word is a label, as PrometheusText has them."""
    code = (SOURCES / "metrics/PrometheusText.java").read_text()
    return dict(re.findall(r'"([a-z_.]+)", "([a-z]+)"', code.split("LABELS =")[1].split(";")[0]))


class Exposed:
    """What /metrics has: for each name its labels, and for each label its values, None for any."""

    def __init__(self):
        self.samples = {}
        families = labels()
        for kind, names in declared_metrics().items():
            for name in documented_metrics():
                if name in names or any(part.endswith(".") and name.startswith(part) for part in names):
                    self.add(kind, name, families)

    def add(self, kind, name, families):
        family, _, word = name.rpartition(".")
        label = families.get(family)
        sample = "hottub_" + re.sub("[^a-zA-Z0-9]", "_", family if label else name)
        for suffix in {"counter": ["_total"], "gauge": [""], "histogram": ["", "_count"]}[kind]:
            has = self.samples.setdefault(sample + suffix, {one: None for one in ANY_NODE})
            if kind == "histogram" and not suffix:
                has["quantile"] = {"0.5", "0.95", "0.99"}
            if label and word.isupper():
                has[label] = None
            elif label:
                has.setdefault(label, set()).add(word)

    def problems(self, query):
        """What a query of PromQL asks for and is not there."""
        for name, matchers in re.findall(r"(hottub_\w+)(?:\{([^}]*)\})?", query):
            if name not in self.samples:
                yield f"there is no metric {name}"
                continue
            for label, value in re.findall(r'(\w+)=~?"([^"]*)"', matchers):
                has = self.samples[name]
                if label not in has:
                    yield f"{name} has no label {label}"
                elif has[label] is not None and value not in has[label]:
                    yield f"{name} has no {label} {value}"
        asked = set(re.findall(r"hottub_\w+", query))
        for label in re.findall(r"by \((\w+)\)", query):
            if not any(label in self.samples.get(name, {}) for name in asked):
                yield f"there is no label {label} in {query}"


def dashboard_problems(board, exposed):
    """What Grafana does not take, or would show without data."""
    for field in ("uid", "title", "schemaVersion", "templating", "time"):
        if not board.get(field):
            yield f"has no {field}"
    panels = board.get("panels") or []
    if not panels:
        yield "has no panels"
    ids = [panel.get("id") for panel in panels]
    if len(set(ids)) < len(ids) or not all(isinstance(one, int) for one in ids):
        yield "ids of panels are not different numbers"
    declared = {"$" + variable["name"] for variable in board.get("templating", {}).get("list", [])}
    for variable in declared - VARIABLES:
        yield f"variable {variable} is not one that the tests know"
    for variable in board.get("templating", {}).get("list", []):
        if variable["type"] == "query":
            yield from exposed.problems(variable["query"])
    taken = set()
    for panel in panels:
        where = panel.get("title") or f"panel {panel.get('id')}"
        for field in ("title", "description", "type", "datasource", "targets"):
            if not panel.get(field):
                yield f"{where}: has no {field}"
        if panel.get("fieldConfig", {}).get("defaults", {}).get("unit") not in UNITS:
            yield f"{where}: has no unit"
        at = panel["gridPos"]
        cells = {(at["x"] + x, at["y"] + y) for x in range(at["w"]) for y in range(at["h"])}
        if cells & taken or at["x"] + at["w"] > 24:
            yield f"{where}: has no room"
        taken |= cells
        for target in panel.get("targets") or []:
            query = target.get("expr", "")
            if "hottub_" not in query or not target.get("refId"):
                yield f"{where}: a target has no query or no refId"
            for variable in set(re.findall(r"\$\w+", query)) - declared - {"$__range", "$__rate_interval"}:
                yield f"{where}: there is no variable {variable}"
            for problem in exposed.problems(query):
                yield f"{where}: {problem}"


def rules():
    """The alerts by name: each the text of its other lines. That the file is YAML, promtool says."""
    return dict(part.split("\n", 1) for part in RULES.read_text().split("      - alert: ")[1:])


def rule_problems(name, rule, page, exposed):
    for pattern, what in [
        (r"(?m)^          severity: (critical|warning)$", "severity"),
        (r"(?m)^          summary: \S", "summary"),
        (r"(?m)^          description: \S", "description"),
        (rf"(?m)^          runbook_url: docs/monitoring\.md#{name.lower()}$", "link to its part of the page"),
    ]:
        if not re.search(pattern, rule):
            yield f"{name}: has no {what}"
    if f"\n### {name}\n" not in page:
        yield f"{name}: docs/monitoring.md has no heading for it"
    query = rule.split("expr:", 1)[1].split("        labels:", 1)[0]
    if "hottub_" not in query:
        yield f"{name}: has no query"
    for problem in exposed.problems(query):
        yield f"{name}: {problem}"


class MonitoringTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.exposed = Exposed()
        cls.boards = {file.name: json.loads(file.read_text()) for file in DASHBOARDS}
        cls.page = PAGE.read_text()

    def test_dashboards_are_right(self):
        self.assertEqual(list(self.boards), ["hottub-cluster.json", "hottub-node.json"])
        for name, board in self.boards.items():
            self.assertEqual(list(dashboard_problems(board, self.exposed)), [], name)
        self.assertEqual(len({board["uid"] for board in self.boards.values()}), len(self.boards))

    def test_rules_are_right(self):
        for name, rule in rules().items():
            self.assertEqual(list(rule_problems(name, rule, self.page, self.exposed)), [])

    def test_every_rule_has_a_test_and_every_part_of_the_page_a_rule(self):
        tested = re.findall(r"(?m)^  - name: (\w+)$", RULE_TESTS.read_text())
        self.assertEqual(list(rules()), tested)
        self.assertEqual(set(rules()), set(re.findall(r"(?m)^### (HotTub\w+)$", self.page)))

    def test_metrics_of_the_page_are_documented(self):
        self.assertEqual(list(self.exposed.problems(" ".join(re.findall(r"hottub_\w+", self.page)))), [])

    def board_with(self, change):
        """The problems of the node's dashboard when its panels are changed."""
        board = json.loads(json.dumps(self.boards["hottub-node.json"]))
        change(board)
        return "\n".join(dashboard_problems(board, self.exposed))

    def test_what_is_wrong_in_a_dashboard_is_found(self):
        def query(text):
            return lambda board: board["panels"][0]["targets"][0].update(expr=text)

        for change, problem in [
            (lambda board: board.pop("uid"), "has no uid"),
            (lambda board: board.pop("title"), "has no title"),
            (lambda board: board["panels"].clear(), "has no panels"),
            (lambda board: board["panels"][1].update(id=1), "ids of panels"),
            (lambda board: board["panels"][0].update(targets=[]), "has no targets"),
            (lambda board: board["panels"][0]["fieldConfig"]["defaults"].pop("unit"), "has no unit"),
            (lambda board: board["panels"][1].update(gridPos=board["panels"][0]["gridPos"]), "has no room"),
            (lambda board: board["templating"]["list"].pop(), "there is no variable $node"),
            (query("hottub_runs_warm"), "there is no metric hottub_runs_warm"),
            (query("hottub_runs_lease_us_total"), "there is no metric hottub_runs_lease_us_total"),
            (query("hottub_launch_spark_lost_total"), "there is no metric hottub_launch_spark_lost_total"),
            (query('hottub_pool_jvms{state="asleep"}'), "hottub_pool_jvms has no state asleep"),
            (query('hottub_pool_jvms{reason="idle"}'), "hottub_pool_jvms has no label reason"),
            (query("sum by (state) (hottub_runs_warm_total)"), "there is no label state"),
        ]:
            self.assertIn(problem, self.board_with(change))

    def test_what_is_wrong_in_a_rule_is_found(self):
        name = "HotTubJvmsCrash"
        for old, new, problem in [
            ("severity: warning", "severity: loud", "has no severity"),
            ("summary:", "sum:", "has no summary"),
            ("#hottubjvmscrash", "#other", "has no link"),
            ("hottub_pool_crashes_total", "hottub_pool_accidents_total", "there is no metric"),
        ]:
            rule = rules()[name]
            self.assertIn(old, rule)
            problems = rule_problems(name, rule.replace(old, new), self.page, self.exposed)
            self.assertIn(problem, "\n".join(problems))
        self.assertIn("has no heading", "\n".join(rule_problems(name, rules()[name], "", self.exposed)))


if __name__ == "__main__":
    unittest.main()
