# Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
"""For the tests of packages: a tarball as deploy/package makes it, with a home of one program; and running the checkers."""

import itertools
import pathlib
import re
import shutil
import subprocess
import unittest
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[4]
DEPLOY = ROOT / "deploy"
VERSION = "1.2.3"

# What deploy/package takes from the sources.
SOURCES = (
    "deploy/package",
    "deploy/dist",
    "deploy/sbom",
    "deploy/checks",
    "docs",
    "hottub-jvm/hotspot/LICENSE-GPL2-CE",
    "LICENSE",
    "NOTICE",
)

# As the client: traces how the run was served, warm from the second on.
JAVA = """#!/bin/sh
[ -z "$HOTTUB_TRACE" ] || echo '{"served":"pool","warm":'$([ -s "$HOTTUB_TRACE" ] && echo true || echo false)'}' >>"$HOTTUB_TRACE"
"""


def run(*command, **options):
    """The output of a command, which has to succeed."""
    done = subprocess.run(
        list(map(str, command)), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, **options
    )
    if done.returncode:
        raise AssertionError(f"{command}: status {done.returncode}: {done.stdout}")
    return done.stdout


def make_jar(file, *artifacts, classes=()):
    """Makes a jar with these classes that says that it contains these artifacts (GROUP:ARTIFACT:VERSION)."""
    with zipfile.ZipFile(file, "w") as jar:
        for group, name, version in (artifact.split(":") for artifact in artifacts):
            about = f"artifactId={name}\ngroupId={group}\nversion={version}\n"
            jar.writestr(f"META-INF/maven/{group}/{name}/pom.properties", about)
        for name in classes:
            jar.writestr(name, b"")


def make_tarball(folder):
    """Makes hottub-VERSION.tar.gz in a folder of its own below this one."""
    for copied in SOURCES:
        target = folder / copied
        target.parent.mkdir(parents=True, exist_ok=True)
        (shutil.copytree if (ROOT / copied).is_dir() else shutil.copy)(ROOT / copied, target)
    for module in ("hottub-jvm", "yarn-auxservice", "spark-plugin", "tez-plugin"):
        (folder / module / "target").mkdir(parents=True, exist_ok=True)
        make_jar(folder / "{0}/target/{0}-{1}.jar".format(module, VERSION), f"io.hottub:{module}:{VERSION}")
    java = folder / "hottub-jvm/target/hottub-home/bin/java"
    java.parent.mkdir(parents=True)
    java.write_text(JAVA)
    java.chmod(0o755)
    (java.parents[1] / "release").write_text('IMPLEMENTOR="Test"\nJAVA_RUNTIME_VERSION="17.0.1+1"\nJAVA_VERSION="17.0.1"\n')
    (folder / "deploy/target").mkdir()
    run(folder / "deploy/package", VERSION)
    return folder / f"deploy/target/hottub-{VERSION}.tar.gz"


def documented_metrics():
    """The names of all metrics in docs/configuration.md."""
    names = set()
    for row in re.findall(r"(?m)^\| (`[^|]+) \| (?:gauge|counter|histogram) \|", (ROOT / "docs/configuration.md").read_text()):
        for name in re.findall("`([^`]+)`", row):
            parts = [part.split(",") for part in re.split("[{}]", name)]
            names.update(map("".join, itertools.product(*parts)))
    return names


class CheckerTest(unittest.TestCase):
    """Tests of one of the checkers."""

    checker = None

    def check(self, target):
        """The problems that the checker tells, as a list of lines; empty where the package is right."""
        done = subprocess.run(
            [DEPLOY / "checks" / self.checker, str(target)], capture_output=True, text=True, check=False
        )
        self.assertNotIn("Traceback", done.stderr)
        self.assertEqual(done.returncode, 1 if done.stderr else 0, done)
        return done.stderr.splitlines()

    def assert_rejected(self, target, problem):
        problems = self.check(target)
        self.assertTrue(any(problem in line for line in problems), f"{problem!r} is not among {problems}")
