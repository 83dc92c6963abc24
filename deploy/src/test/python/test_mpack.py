# Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
"""The management pack for Ambari, and what its checker rejects."""

import io
import json
import pathlib
import tarfile
import tempfile
import unittest

from packages import DEPLOY, VERSION, CheckerTest, documented_metrics, run

TOP = f"hottub-ambari-mpack-{VERSION}"
SERVICE = "addon-services/HOTTUB/0.1.0"
METAINFO = f"{SERVICE}/metainfo.xml"
ENV = f"{SERVICE}/configuration/hottub-env.xml"
SITE = f"{SERVICE}/configuration/hottub-site.xml"
ALERTS = f"{SERVICE}/alerts.json"
LINKS = f"{SERVICE}/quicklinks/quicklinks.json"
TELEMETRY = f"{SERVICE}/telemetry.json"
PROFILE = f"{SERVICE}/telemetry-profiles/hottub.json"
CLIENT = f"{SERVICE}/package/scripts/hottub_client.py"


class MpackTest(CheckerTest):
    checker = "mpack"

    @classmethod
    def setUpClass(cls):
        temporary = tempfile.TemporaryDirectory()
        cls.addClassCleanup(temporary.cleanup)
        cls.pack = pathlib.Path(temporary.name) / f"{TOP}.tar.gz"
        run(DEPLOY / "ambari/make", f"{VERSION}-SNAPSHOT", cls.pack.parent)
        with tarfile.open(cls.pack) as tar:
            cls.files = {
                member.name.partition("/")[2]: tar.extractfile(member).read().decode() for member in tar if member.isreg()
            }

    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)

    def packed(self, files, others=()):
        """A pack of these files; others are beside its folder."""
        pack = self.folder / f"{TOP}.tar.gz"
        members = {f"{TOP}/{name}": data for name, data in files.items()} | dict(others)
        with tarfile.open(pack, "w:gz") as tar:
            for name, data in members.items():
                info = tarfile.TarInfo(name)
                info.size = len(data.encode())
                tar.addfile(info, io.BytesIO(data.encode()))
        return pack

    def changed(self, name, old, new):
        """The pack with a file in which one place is another."""
        self.assertIn(old, self.files[name])
        return self.packed({**self.files, name: self.files[name].replace(old, new, 1)})

    def without(self, name):
        return self.packed({path: data for path, data in self.files.items() if path != name})

    def assert_each_rejected(self, name, changes):
        for old, new, problem in changes:
            with self.subTest(problem):
                self.assert_rejected(self.changed(name, old, new), problem)

    def test_is_right(self):
        self.assertEqual(self.check(self.pack), [])

    def test_equal_sources_give_an_equal_pack(self):
        run(DEPLOY / "ambari/make", VERSION, self.folder)
        self.assertEqual((self.folder / self.pack.name).read_bytes(), self.pack.read_bytes())

    def test_series_are_metrics_of_the_service(self):
        for rule in json.loads(self.files[PROFILE])["rules"]:
            self.assertEqual(rule["bean"]["domain"], "hottub")
            self.assertIn(rule["bean"]["properties"]["name"], documented_metrics())

    def test_alerts_are_about_metrics_of_the_service(self):
        for alert in json.loads(self.files[ALERTS])["HOTTUB"]["HOTTUB_CLIENT"]:
            for name in alert["source"].get("jmx", {"property_list": []})["property_list"]:
                self.assertIn(name.removeprefix("hottub:name=").partition(",")[0], documented_metrics())

    def test_archive(self):
        (self.folder / "x.tar.gz").write_text("no archive")
        self.assert_rejected(self.folder / "x.tar.gz", "no tar archive packed with gzip")
        self.assert_rejected(self.packed(self.files, others={"other/file": ""}), "one folder at its top")

    def test_mpack_json(self):
        self.assert_rejected(self.without("mpack.json"), "has no mpack.json")
        self.assert_each_rejected(
            "mpack.json",
            [
                (f'"{VERSION}"', '"1.0-SNAPSHOT"', "numbers with points"),
                ('"full-release"', '"release"', "must be full-release"),
                ('"stack-addon-service-definitions"', '"service"', "must be stack-addon-service-definitions"),
                ('"min-ambari-version": "2.8.0.0"', "", "has no min-ambari-version"),
                ('{"stack_name": "BIGTOP", "stack_version": "3.2.0"}', "", "applicable_stacks: must not be empty"),
                ('"service_version": "0.1.0"', '"service_version": "0.2.0"', "there is no metainfo.xml"),
                ('"description"', '"summary"', "summary: is not known here"),
            ],
        )

    def test_metainfo(self):
        self.assert_rejected(self.without(METAINFO), "there is no metainfo.xml")
        self.assert_each_rejected(
            METAINFO,
            [
                ("</metainfo>", "", "not XML"),
                ("<schemaVersion>2.0", "<schemaVersion>1.0", "schemaVersion 2.0"),
                ("<name>HOTTUB</name>", "<name>OTHER</name>", "must describe the service HOTTUB alone"),
                ("<version>0.1.0", "<version>0.2.0", "in mpack.json 0.1.0"),
                ("<category>CLIENT", "<category>DAEMON", "category must be MASTER or SLAVE or CLIENT"),
                ("<category>CLIENT", "<category>SLAVE", "has no method start"),
                ("<cardinality>1+", "<cardinality>some", "cardinality must be as in"),
                ("scripts/hottub_client.py", "scripts/other.py", "there is no package/scripts/other.py"),
                ("<scriptType>PYTHON", "<scriptType>PUPPET", "scriptType must be PYTHON"),
                ("<timeout>1200", "<timeout>long", "timeout must be a number"),
                ("<name>UNINSTALL", "<name>PURGE", "has no method purge"),
                ("<config-type>hottub-env", "<config-type>hottub", "there is no configuration/hottub.xml"),
                ("<fileName>quicklinks.json", "<fileName>links.json", "there is no quicklinks/links.json"),
                ("<displayName>HotTub</displayName>\n      <comment>", "<comment>", "the service has no displayName"),
            ],
        )

    def test_settings(self):
        self.assert_each_rejected(
            ENV,
            [
                ('<on-ambari-upgrade add="false"/>', "", "needs <on-ambari-upgrade"),
                ("<type>boolean", "<type>bool", "bool is no type of a value"),
                ("<value>true</value>", "<value>yes</value>", "the value of a boolean is true or false"),
                ("<value>true</value>", "<value/>", "has no value"),
                ("<display-name>", "<label>x</label><display-name>", "label may not be in property"),
                ("<overridable>false</overridable>", "<hidden>true</hidden>", "hidden may not be in value-attributes"),
                ("<name>hottub_root", "<name>hottub_enabled", "hottub_enabled is there twice"),
                ("<description>Whether the settings of YARN, Spark, Tez and MapReduce have HotTub; off: before it is removed.</description>", "", "needs a description"),
                ("</configuration>", "<setting/></configuration>", "setting may not be in configuration"),
            ],
        )
        self.assert_each_rejected(
            SITE,
            [
                ("<minimum>0</minimum><maximum>1024", "<minimum>9</minimum><maximum>8", "is above maximum"),
                ("<value>900</value>", "<value>0</value>", "is not between minimum and maximum"),
                ("<value>900</value>", "<value>long</value>", "are whole numbers"),
                ("<value>clone</value><", "<value>none</value><", "is none of the entries"),
            ],
        )

    def test_scripts(self):
        self.assert_each_rejected(
            CLIENT,
            [
                ("def status", "def state", "has no method status"),
                ("def install(self, env):", "def install(self, env)", "not Python 3"),
                ("import hashlib", "print 'hashlib'", "not Python 3"),
            ],
        )

    def test_alerts(self):
        self.assert_each_rejected(
            ALERTS,
            [
                ('"HOTTUB"', '"YARN"', "must be about HOTTUB alone"),
                ('"HOTTUB_CLIENT"', '"HOTTUB_SERVER"', "there is no component HOTTUB_SERVER"),
                ('"interval": 5', '"interval": 0', "must be one minute or more"),
                ('"scope": "HOST"', '"scope": "NODE"', "scope: must be"),
                ('"type": "SCRIPT"', '"type": "SHELL"', "type must be"),
                ("BIGTOP/3.2.0/services", "HDP/3.1/services", "there is no script HDP"),
                ("alert_hottub_installed.py", "alert_other.py", "there is no script BIGTOP"),
                ('"alert_name": "hottub_installed"', '"alert_name": "none"', "there is no alert none"),
                ('"failures: {0}"', '"failures: {2}"', "names more than the 1 properties"),
                ("type=counters/Count", "type=counters", "is no property of a bean"),
                ('"{{yarn-site/yarn.http.policy}}"', '"yarn.http.policy"', "a setting as in"),
                ('"name": "hottub_circuits_opened"', '"name": "hottub_pool_failures"', "two items have the name"),
            ],
        )

    def test_script_of_an_alert(self):
        path = f"{SERVICE}/package/alerts/alert_hottub_installed.py"
        self.assert_rejected(self.changed(path, "def execute", "def run"), "has the functions get_tokens and execute")

    def test_quick_links(self):
        self.assert_each_rejected(
            LINKS,
            [
                ("%@://%@:%@/jmx", "http://%@:%@/jmx", "needs %@ three times"),
                ('"HOTTUB_CLIENT"', '"NODEMANAGER"', "there is no component NODEMANAGER"),
                ('"8042"', "8042", "a port as text"),
                ('"type": "https"', '"type": "ssl"', "must be http or https"),
            ],
        )

    def test_telemetry(self):
        self.assert_each_rejected(
            TELEMETRY,
            [
                ('"HOTTUB_CLIENT"', '"NODEMANAGER"', "there is no component NODEMANAGER"),
                ('"jmx_json"', '"jmx"', "format: must be"),
                ("hottub.json", "other.json", "there is no profile"),
                ('"/jmx"', '"jmx"', "begins with /"),
            ],
        )
        self.assert_each_rejected(
            PROFILE,
            [
                ('"maxSeries": 16', '"maxSeries": 2', "are more than maxSeries"),
                ('"hottub_runs_warm_total"', '"hottub_runs_first_total"', "is there twice"),
                ('"hottub_runs_warm_total"', '"hottub_runs_warm"', "ends with _total"),
                ('"type": "gauge"', '"type": "level"', "must be gauge or counter"),
            ],
        )

    def test_advisor(self):
        self.assert_rejected(
            self.changed(f"{SERVICE}/service_advisor.py", "class HOTTUBServiceAdvisor", "class Advisor"),
            "has no class HOTTUBServiceAdvisor",
        )


if __name__ == "__main__":
    unittest.main()
