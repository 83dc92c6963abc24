#!/usr/bin/env python3
# Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
"""What the settings of YARN, Spark, Tez and MapReduce have to be with HotTub, and again without."""

import importlib.util
import os
import re

HERE = os.path.dirname(os.path.abspath(__file__))
# From stacks/STACK/VERSION/services/HOTTUB, where Ambari links this.
BASE = os.environ.get("BASE_SERVICE_ADVISOR", os.path.join(HERE, "../../../../../stacks/service_advisor.py"))
_spec = importlib.util.spec_from_file_location("service_advisor", BASE)
service_advisor = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(service_advisor)

PREFIX = "yarn.nodemanager.aux-services.hottub."
AUX_SERVICES = "yarn.nodemanager.aux-services"
EXECUTOR = "yarn.nodemanager.container-executor.class"
PROCESS_TREE = "yarn.nodemanager.container-monitor.process-tree.class"

SERVICE = "io.hottub.yarn.HotTubAuxService"
TREE = "io.hottub.yarn.HotTubProcessTree"
# YARN's own executors, and what is ours on each.
EXECUTORS = {
    "org.apache.hadoop.yarn.server.nodemanager.DefaultContainerExecutor": "io.hottub.yarn.HotTubContainerExecutor",
    "org.apache.hadoop.yarn.server.nodemanager.LinuxContainerExecutor": "io.hottub.yarn.HotTubLinuxContainerExecutor",
}
DEFAULT_EXECUTOR = next(iter(EXECUTORS))

BLOCK = re.compile(r"\n# begin HotTub\n.*?\n# end HotTub\n", re.DOTALL)


def words(text):
    return [word.strip() for word in (text or "").split(",") if word.strip()]


def with_block(content, line):
    """The text of an environment file with our line at its end; without one where there is no line."""
    content = BLOCK.sub("", content)
    return f"{content}\n# begin HotTub\n{line}\n# end HotTub\n" if line else content


class HOTTUBServiceAdvisor(service_advisor.ServiceAdvisor):
    def getServiceConfigurationRecommendations(self, configurations, clusterData, services, hosts):
        env = self.settings(configurations, services, "hottub-env")
        enabled = env.get("hottub_enabled", "true") == "true"
        current = os.path.join(env.get("hottub_root", "/usr/lib/hottub"), "current")
        self.recommend_yarn(configurations, services, enabled)
        self.recommend_line(
            configurations,
            services,
            "yarn-env",
            f'export HADOOP_CLASSPATH="${{HADOOP_CLASSPATH:+$HADOOP_CLASSPATH:}}{current}/lib/yarn/*"' if enabled else None,
        )
        self.recommend_line(
            configurations,
            services,
            "spark-env",
            f". {current}/conf/spark-env-hottub.sh" if enabled else None,
        )
        for engine, site in (("spark", "spark-defaults"), ("tez", "tez-site"), ("mapreduce", "mapred-site")):
            wanted = enabled and env.get(f"hottub_{engine}_enabled") == "true"
            self.recommend(configurations, services, site, f"{engine}.hottub.enabled", "true" if wanted else None)

    def recommend_yarn(self, configurations, services, enabled):
        yarn = self.settings(configurations, services, "yarn-site")
        others = [name for name in words(yarn.get(AUX_SERVICES)) if name != "hottub"]
        executor = yarn.get(EXECUTOR, "") or DEFAULT_EXECUTOR
        yarns_own = {ours: own for own, ours in EXECUTORS.items()}.get(executor, executor)
        ours = self.settings(configurations, services, "hottub-site")
        wanted = {
            AUX_SERVICES: ",".join(others + ["hottub"] if enabled else others),
            EXECUTOR: EXECUTORS.get(yarns_own, yarns_own) if enabled else yarns_own,
            PROCESS_TREE: TREE if enabled else None,
            PREFIX + "class": SERVICE if enabled else None,
        }
        for name, value in ours.items():
            wanted[name] = value.strip() or None if enabled else None
        for name, value in wanted.items():
            self.recommend(configurations, services, "yarn-site", name, value)

    def recommend_line(self, configurations, services, site, line):
        """Puts a line into a template that Ambari makes an environment file of."""
        content = self.settings(configurations, services, site).get("content")
        if content is not None:
            self.recommend(configurations, services, site, "content", with_block(content, line))

    def recommend(self, configurations, services, site, name, value):
        """value: None takes the setting out."""
        present = self.settings(configurations, services, site)
        if site not in services.get("configurations", {}) or (value is None and name not in present):
            return
        # Else Ambari keeps the value that is there.
        services.setdefault("forced-configurations", []).append({"type": site, "name": name})
        if value is None:
            self.putPropertyAttribute(configurations, site)(name, "delete", "true")
        else:
            self.putProperty(configurations, site)(name, value)

    @staticmethod
    def settings(configurations, services, site):
        """What is set, with what other advisors have recommended."""
        present = dict(services.get("configurations", {}).get(site, {}).get("properties", {}))
        present.update(configurations.get(site, {}).get("properties", {}))
        return present

    def getServiceConfigurationsValidationItems(self, configurations, recommendedDefaults, services, hosts):
        env = self.settings(configurations, services, "hottub-env")
        yarn = self.settings(configurations, services, "yarn-site")
        enabled = env.get("hottub_enabled", "true") == "true"
        problems = []
        if enabled != ("hottub" in words(yarn.get(AUX_SERVICES))):
            what = "has to have hottub" if enabled else "still has hottub, which is switched off"
            problems.append(self.problem(AUX_SERVICES, "ERROR", f"{AUX_SERVICES} {what}; accept the recommended value"))
        if enabled and yarn.get(EXECUTOR) not in EXECUTORS.values():
            problems.append(
                self.problem(
                    EXECUTOR,
                    "WARN",
                    f"{EXECUTOR} is none of HotTub's ({', '.join(EXECUTORS.values())}): no container is served by the pool",
                )
            )
        return self.toConfigurationValidationProblems(problems, "yarn-site")

    @staticmethod
    def problem(name, level, message):
        return {"config-name": name, "item": {"level": level, "message": message}}
