# Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
"""What the service advisor for Ambari recommends for the settings of others."""

import copy
import os
import unittest
from unittest import mock

from ambari_agent import SERVICE, STUB, defaults, load

YARN = "org.apache.hadoop.yarn.server.nodemanager."
AUX_SERVICES = "yarn.nodemanager.aux-services"
EXECUTOR = "yarn.nodemanager.container-executor.class"
PROCESS_TREE = "yarn.nodemanager.container-monitor.process-tree.class"
MAX_JVMS = "yarn.nodemanager.aux-services.hottub.max-jvms"
IDLE_SECONDS = "yarn.nodemanager.aux-services.hottub.idle-seconds"
CONTENT = "export HADOOP_YARN_HOME={{hadoop_yarn_home}}\n"


class AdvisorTest(unittest.TestCase):
    def setUp(self):
        with mock.patch.dict(os.environ, {"BASE_SERVICE_ADVISOR": str(STUB / "service_advisor.py")}):
            self.advisor = load(SERVICE / "service_advisor.py").HOTTUBServiceAdvisor()
        self.sites = {
            "hottub-env": defaults("hottub-env"),
            "hottub-site": defaults("hottub-site"),
            "yarn-site": {AUX_SERVICES: "mapreduce_shuffle, spark_shuffle", EXECUTOR: YARN + "DefaultContainerExecutor"},
            "yarn-env": {"content": CONTENT},
            "spark-env": {"content": "export JAVA_HOME={{java_home}}"},
            "spark-defaults": {"spark.master": "yarn"},
            "tez-site": {},
            "mapred-site": {},
        }

    def services(self):
        return {"configurations": {site: {"properties": copy.copy(values)} for site, values in self.sites.items()}}

    def accept(self):
        """Makes the recommended settings those of the cluster."""
        recommended = {}
        self.advisor.getServiceConfigurationRecommendations(recommended, {}, self.services(), {})
        for site, changes in recommended.items():
            self.sites[site].update(changes.get("properties", {}))
            for name, attributes in changes.get("property_attributes", {}).items():
                if attributes.get("delete") == "true":
                    self.sites[site].pop(name)
        return recommended

    def problems(self):
        return self.advisor.getServiceConfigurationsValidationItems({}, {}, self.services(), {})

    def test_yarn(self):
        self.accept()
        yarn = self.sites["yarn-site"]
        self.assertEqual(yarn[AUX_SERVICES], "mapreduce_shuffle,spark_shuffle,hottub")
        self.assertEqual(yarn[AUX_SERVICES + ".hottub.class"], "io.hottub.yarn.HotTubAuxService")
        self.assertEqual(yarn[EXECUTOR], "io.hottub.yarn.HotTubContainerExecutor")
        self.assertEqual(yarn[PROCESS_TREE], "io.hottub.yarn.HotTubProcessTree")
        self.assertEqual(yarn[AUX_SERVICES + ".hottub.home"], "/usr/lib/hottub/current/home")

    def test_a_setting_without_a_value_is_left_out(self):
        self.accept()
        self.assertNotIn(MAX_JVMS, self.sites["yarn-site"])
        self.sites["hottub-site"][MAX_JVMS] = "20"
        self.accept()
        self.assertEqual(self.sites["yarn-site"][MAX_JVMS], "20")
        self.sites["hottub-site"][MAX_JVMS] = ""
        self.accept()
        self.assertNotIn(MAX_JVMS, self.sites["yarn-site"])
        self.assertEqual(self.sites["yarn-site"][IDLE_SECONDS], "900")

    def test_the_linux_executor(self):
        self.sites["yarn-site"][EXECUTOR] = YARN + "LinuxContainerExecutor"
        self.accept()
        self.assertEqual(self.sites["yarn-site"][EXECUTOR], "io.hottub.yarn.HotTubLinuxContainerExecutor")

    def test_without_an_executor(self):
        del self.sites["yarn-site"][EXECUTOR]
        self.accept()
        self.assertEqual(self.sites["yarn-site"][EXECUTOR], "io.hottub.yarn.HotTubContainerExecutor")

    def test_another_executor_stays(self):
        self.sites["yarn-site"][EXECUTOR] = "com.example.Executor"
        self.accept()
        self.assertEqual(self.sites["yarn-site"][EXECUTOR], "com.example.Executor")
        self.assertEqual([(one["level"], one["config-name"]) for one in self.problems()], [("WARN", EXECUTOR)])

    def test_environment_files(self):
        self.accept()
        self.assertTrue(self.sites["yarn-env"]["content"].startswith(CONTENT))
        self.assertIn(
            'export HADOOP_CLASSPATH="${HADOOP_CLASSPATH:+$HADOOP_CLASSPATH:}/usr/lib/hottub/current/lib/yarn/*"',
            self.sites["yarn-env"]["content"].splitlines(),
        )
        self.assertIn(". /usr/lib/hottub/current/conf/spark-env-hottub.sh", self.sites["spark-env"]["content"].splitlines())

    def test_once_is_enough(self):
        self.accept()
        first = copy.deepcopy(self.sites)
        self.accept()
        self.assertEqual(self.sites, first)

    def test_engines(self):
        self.accept()
        self.assertNotIn("spark.hottub.enabled", self.sites["spark-defaults"])
        self.sites["hottub-env"].update(hottub_spark_enabled="true", hottub_tez_enabled="true", hottub_mapreduce_enabled="true")
        self.accept()
        self.assertEqual(self.sites["spark-defaults"]["spark.hottub.enabled"], "true")
        self.assertEqual(self.sites["tez-site"]["tez.hottub.enabled"], "true")
        self.assertEqual(self.sites["mapred-site"]["mapreduce.hottub.enabled"], "true")

    def test_services_that_are_not_there(self):
        for site in ("spark-env", "spark-defaults", "tez-site", "mapred-site"):
            del self.sites[site]
        self.sites["hottub-env"].update(hottub_spark_enabled="true", hottub_tez_enabled="true", hottub_mapreduce_enabled="true")
        self.assertEqual(set(self.accept()), {"yarn-site", "yarn-env"})

    def test_switched_off_all_is_as_before(self):
        for executor in ("DefaultContainerExecutor", "LinuxContainerExecutor"):
            with self.subTest(executor):
                self.sites["yarn-site"] = {AUX_SERVICES: "mapreduce_shuffle,spark_shuffle", EXECUTOR: YARN + executor}
                self.sites["hottub-env"].update(hottub_enabled="true", hottub_spark_enabled="true", hottub_tez_enabled="true", hottub_mapreduce_enabled="true")
                before = {site: dict(values) for site, values in self.sites.items() if not site.startswith("hottub")}
                self.accept()
                self.sites["hottub-env"]["hottub_enabled"] = "false"
                self.accept()
                after = {site: values for site, values in self.sites.items() if not site.startswith("hottub")}
                self.assertEqual(after, before)

    def test_what_is_forced(self):
        services = self.services()
        recommended = {}
        self.advisor.getServiceConfigurationRecommendations(recommended, {}, services, {})
        forced = {(one["type"], one["name"]) for one in services["forced-configurations"]}
        self.assertEqual(
            forced,
            {(site, name) for site, changes in recommended.items() for name in changes["properties"]},
        )

    def test_validation(self):
        self.assertEqual([one["level"] for one in self.problems()], ["ERROR", "WARN"])
        self.accept()
        self.assertEqual(self.problems(), [])
        self.sites["hottub-env"]["hottub_enabled"] = "false"
        (problem,) = self.problems()
        self.assertIn("still has hottub, which is switched off", problem["message"])
        self.accept()
        self.assertEqual(self.problems(), [])


if __name__ == "__main__":
    unittest.main()
