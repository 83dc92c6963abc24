# Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
"""The custom service descriptor for Cloudera Manager, and what its checker rejects."""

import json
import pathlib
import re
import tempfile
import unittest
import zipfile

from packages import DEPLOY, VERSION, CheckerTest, documented_metrics, run

SDL = "descriptor/service.sdl"
MDL = "descriptor/service.mdl"


class CsdTest(CheckerTest):
    checker = "csd"

    @classmethod
    def setUpClass(cls):
        temporary = tempfile.TemporaryDirectory()
        cls.addClassCleanup(temporary.cleanup)
        cls.jar = pathlib.Path(temporary.name) / f"HOTTUB-{VERSION}.jar"
        run(DEPLOY / "cloudera/csd/make", VERSION, cls.jar.parent)
        with zipfile.ZipFile(cls.jar) as jar:
            cls.files = {name: jar.read(name).decode() for name in jar.namelist()}

    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)

    def changed(self, name, old, new, jar=f"HOTTUB-{VERSION}.jar"):
        """The jar with a file in which one place is another."""
        self.assertIn(old, self.files[name])
        with zipfile.ZipFile(self.folder / jar, "w") as changed:
            for each, data in self.files.items():
                changed.writestr(each, data.replace(old, new, 1) if each == name else data)
        return self.folder / jar

    def changed_value(self, name, change):
        """The jar with a file whose value in JSON is another."""
        value = json.loads(re.sub(r"(?m)^\s*//.*$", "", self.files[name]))
        change(value)
        return self.changed(name, self.files[name], json.dumps(value))

    def test_is_right(self):
        self.assertEqual(self.check(self.jar), [])

    def test_equal_sources_give_an_equal_jar(self):
        run(DEPLOY / "cloudera/csd/make", VERSION, self.folder)
        self.assertEqual((self.folder / self.jar.name).read_bytes(), self.jar.read_bytes())

    def test_metrics_are_those_of_the_service(self):
        for metric in json.loads(self.files[MDL])["metricDefinitions"]:
            self.assertIn(metric["context"], documented_metrics())
            self.assertEqual(metric["name"], "hottub_" + metric["context"].replace(".", "_"))

    def test_what_is_no_jar(self):
        (self.folder / "HOTTUB-1.jar").write_text("no jar")
        self.assert_rejected(self.folder / "HOTTUB-1.jar", "no jar")

    def test_names(self):
        self.assert_rejected(self.changed(SDL, '"HOTTUB"', '"HotTub"'), "capitals, digits and _")
        self.assert_rejected(self.changed(SDL, '"HOTTUB"', '"OTHER"'), "must be named OTHER")
        self.assert_rejected(self.changed(SDL, "", "", jar="HOTTUB-9.jar"), f"must be named HOTTUB-{VERSION}.jar")

    def test_without_descriptor(self):
        with zipfile.ZipFile(self.folder / "x.jar", "w") as jar:
            jar.writestr("service.sdl", self.files[SDL])
        self.assert_rejected(self.folder / "x.jar", "has no descriptor/service.sdl")

    def test_fields(self):
        for old, new, problem in [
            ('"label": "HotTub",', "", "has no label"),
            ('"label": "HotTub",', '"label": " ",', "not blank"),
            ('"maxInstances"', '"instances"', "instances: is not known"),
            ('"inExpressWizard": false', '"inExpressWizard": "no"', "must be True or False"),
            ('"YARN"', '"yarn"', "capitals, digits and _"),
            ('"classAndConfigs"', '"class"', "must be classAndConfigs"),
            ('"io.hottub.yarn.HotTubAuxService"', '"HotTub"', "must be a class"),
            ('"linkRoot": "/etc', '"linkRoot": "etc', "an absolute path"),
            ('"properties"', '"ini"', "must be hadoop_xml or properties"),
            ('"type": "path"', '"type": "folder"', "type must be"),
            ('"pathType": "serviceSpecific"', '"pathType": "local"', "pathType: must be"),
            ('"unit": "seconds"', '"unit": "s"', "unit: must be"),
            ('"maxInstances": 1', '"maxInstances": true', "a whole number"),
            ('"maxInstances": 1,', '"maxInstances": 1', "not JSON"),
        ]:
            with self.subTest(problem):
                self.assert_rejected(self.changed(SDL, old, new), problem)

    def test_bounds(self):
        def first_long(value):
            return next(one for one in value["parameters"] if one["type"] == "long" and "default" in one)

        self.assert_rejected(self.changed_value(SDL, lambda value: first_long(value).update(max=0, min=5)), "is not below max")
        self.assert_rejected(self.changed_value(SDL, lambda value: first_long(value).update(default=-1)), "is not between min")

    def test_defaults(self):
        def parameter(name, /, **changes):
            def change(value):
                for one in value["parameters"] + value["gateway"]["parameters"]:
                    if one["name"] == name:
                        one.update(changes)

            return self.changed_value(SDL, change)

        self.assert_rejected(parameter("hottub_isolation", default="none"), "is not among the valid values")
        self.assert_rejected(parameter("hottub_home", default="home"), "does not fit the regular expression")
        self.assert_rejected(parameter("hottub_home", conformRegex="["), "is no regular expression")
        self.assert_rejected(parameter("hottub_dir", required="true"), "is required and has no default")
        self.assert_rejected(parameter("hottub_yield_to_containers", default="false"), "must be true or false")
        self.assert_rejected(parameter("hottub_dir", name="hottub_home"), "two items have the name hottub_home")

    def test_references(self):
        self.assert_rejected(self.changed(SDL, '"${hottub_home}"', '"${hottub_house}"'), "${hottub_house} is no parameter")
        self.assert_rejected(self.changed(SDL, '["spark_hottub_enabled"', '["spark_enabled"'), "spark_enabled is no parameter")
        self.assert_rejected(
            self.changed(SDL, '"hottub-conf/tez-site-hottub.xml"', '"tez-site-hottub.xml"'), "is not below hottub-conf/"
        )
        self.assert_rejected(
            self.changed_value(SDL, lambda value: value.update(icon="images/icon.png")), "there is no images/icon.png"
        )

    def test_metrics(self):
        for old, new, problem in [
            ('"name": "HOTTUB"', '"name": "OTHER"', "must be HOTTUB as in service.sdl"),
            ('"hottubs"', '"tubs"', "must begin with hottub"),
            ('"hottub_runs_warm"', '"runs_warm"', "must begin with hottub_"),
            ('"hottub_runs_warm"', '"hottub_runs_first"', "two items have the name"),
            ('"hottub_runs_warm"', '"hottub_runs.warm"', "words of small letters"),
            ('"hottub_runs_warm"', '"hottub_runs_warm_rate"', "is named as a rate"),
            ('"gauge"', '"level"', "must be gauge or counter or status"),
            ('"label": "Idle JVMs",', "", "has no label"),
        ]:
            with self.subTest(problem):
                self.assert_rejected(self.changed(MDL, old, new), problem)

    def test_rules_among_metrics(self):
        def metrics(**changes):
            return self.changed_value(MDL, lambda value: value["metricDefinitions"][4].update(changes))

        self.assert_rejected(metrics(denominatorUnit="seconds"), "is a counter with a denominatorUnit")
        self.assert_rejected(metrics(weightingMetricName="hottub_none"), "there is no metric hottub_none")

        def collision(value):
            rate = {"name": "hottub_runs_warm_rate", "type": "gauge", "denominatorUnit": "seconds"}
            value["metricDefinitions"].append(value["metricDefinitions"][0] | rate)

        self.assert_rejected(self.changed_value(MDL, collision), "which is there already")


if __name__ == "__main__":
    unittest.main()
