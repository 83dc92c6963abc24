# Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
"""The list of what is shipped: what is in it, what its maker refuses to ship, and what its checker rejects."""

import json
import os
import pathlib
import shutil
import tarfile
import tempfile

from packages import DEPLOY, VERSION, CheckerTest, make_jar, make_tarball, run

NODE_MANAGER = f"lib/yarn/yarn-auxservice-{VERSION}.jar"
OURS = f"io.hottub:yarn-auxservice:{VERSION}"
CURATOR = "org.apache.curator:curator-client:5.7.1"
GUAVA_CLASS = "io/hottub/shaded/org/apache/curator/shaded/com/google/common/base/Joiner.class"


class SbomTest(CheckerTest):
    checker = "sbom"

    @classmethod
    def setUpClass(cls):
        temporary = tempfile.TemporaryDirectory()
        cls.addClassCleanup(temporary.cleanup)
        cls.made = pathlib.Path(temporary.name)
        with tarfile.open(make_tarball(cls.made)) as tarball:
            tarball.extractall(cls.made / "unpacked", filter="data")
        cls.unpacked = cls.made / f"unpacked/hottub-{VERSION}"

    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.tree = pathlib.Path(temporary.name) / "tree"
        shutil.copytree(self.unpacked, self.tree)
        make_jar(self.tree / NODE_MANAGER, OURS, CURATOR, classes=("io/hottub/yarn/Pool.class", GUAVA_CLASS))
        legal = self.tree / "home/legal/hottub"
        legal.mkdir(parents=True)
        (legal / "versions").write_text("debian zlib1g-dev 1:1.2.13.dfsg-1\n")
        (legal / "zlib1g-dev").write_text("zlib's licence\n")
        own = self.tree / "home/lib/hottub"
        own.mkdir(parents=True)
        (own / "libjvm.so").write_bytes(b"a library")

    def make(self):
        """The list as it is made for the tree."""
        run(DEPLOY / "sbom/make", self.tree, env=os.environ | {"SOURCE_DATE_EPOCH": "1735689600"})
        return json.loads((self.tree / "hottub.cdx.json").read_text())

    def assert_not_made(self, problem):
        with self.assertRaises(AssertionError) as raised:
            self.make()
        self.assertIn(problem, str(raised.exception))
        self.assertNotIn("Traceback", str(raised.exception))

    def changed(self, change):
        """The tree with a list that was changed after it was made."""
        bom = self.make()
        change(bom)
        (self.tree / "hottub.cdx.json").write_text(json.dumps(bom))
        return self.tree

    def test_names_all_that_is_shipped(self):
        bom = self.make()
        found = {(one["name"], one.get("version")) for one in bom["components"]}
        self.assertLessEqual(
            {
                (NODE_MANAGER, None),
                ("yarn-auxservice", VERSION),
                ("curator-client", "5.7.1"),
                ("guava", "32.0.0-jre"),
                ("openjdk", "17.0.1+1"),
                ("home/lib/hottub/libjvm.so", None),
                ("home/bin/java", None),
                ("zlib", "1:1.2.13.dfsg-1"),
            },
            found,
        )
        self.assertEqual(("hottub", VERSION), tuple(bom["metadata"]["component"][key] for key in ("name", "version")))
        self.assertEqual("2025-01-01T00:00:00Z", bom["metadata"]["timestamp"])
        self.assertEqual([], self.check(self.tree))
        self.assertEqual("zlib's licence\n", (self.tree / "licenses/zlib.txt").read_text())

    def test_the_one_in_the_tarball_is_right(self):
        self.assertEqual([], self.check(self.unpacked))

    def test_is_equal_for_equal_trees(self):
        self.assertEqual(self.make(), self.make())

    def test_nothing_unknown_is_shipped(self):
        cases = [
            ((OURS, "org.other:thing:1"), (), "org.other:thing:1, of which no licence is known"),
            ((OURS,), (GUAVA_CLASS,), "no artifact in it is known to have that"),
            # A new release may contain another Guava.
            ((OURS, "org.apache.curator:curator-client:6"), (GUAVA_CLASS,), "no artifact in it is known to have that"),
            ((OURS,), ("org/other/Thing.class",), "no artifact in it is known to have that"),
        ]
        for artifacts, classes, problem in cases:
            with self.subTest(problem=problem):
                make_jar(self.tree / NODE_MANAGER, *artifacts, classes=classes)
                self.assert_not_made(problem)

    def test_no_unknown_program_is_shipped(self):
        (self.tree / "home/lib/hottub/other").touch()
        self.assert_not_made("home/lib/hottub/other is not known")

    def test_no_unknown_library_is_shipped(self):
        (self.tree / "home/legal/hottub/versions").write_text("debian libother-dev 1\n")
        self.assert_not_made("libother-dev, of which no licence is known")

    def test_checker_rejects_wrong_structures(self):
        def first(bom):
            return bom["components"][0]

        cases = [
            (lambda bom: bom.update(specVersion="1.4"), "specVersion: must be 1.5"),
            (lambda bom: bom.update(bomFormat="SPDX"), "bomFormat: must be CycloneDX"),
            (lambda bom: bom.update(serialNumber="1"), "must be urn:uuid:"),
            (lambda bom: bom.update(components=[]), "components: must not be empty"),
            (lambda bom: bom.update(other=1), "other: is not known here"),
            (lambda bom: bom["metadata"].update(timestamp="today"), "must be a time in UTC"),
            (lambda bom: bom["metadata"].pop("component"), "metadata: has no component"),
            (lambda bom: first(bom).update(type="thing"), "type: must be application"),
            (lambda bom: first(bom).update(purl="curator"), "must be a package URL"),
            (lambda bom: first(bom).update(licenses=[]), "licenses: must not be empty"),
            (lambda bom: first(bom).pop("licenses"), "has no licenses"),
            (lambda bom: first(bom).update(licenses=[{"license": {"id": "A or B"}}]), "an SPDX identifier"),
            (lambda bom: first(bom).update(licenses=[{"expression": "WITH X"}]), "an SPDX expression"),
            (lambda bom: bom["components"].append(first(bom)), "names have to differ"),
            (lambda bom: bom["dependencies"][0]["dependsOn"].append("other"), "other is no component"),
        ]
        for change, problem in cases:
            with self.subTest(problem=problem):
                self.assert_rejected(self.changed(change), problem)

    def test_checker_rejects_a_list_that_is_not_complete(self):
        def without(name):
            def change(bom):
                bom["components"] = [one for one in bom["components"] if one["name"] != name]
                for one in bom["dependencies"]:
                    one["dependsOn"] = [ref for ref in one["dependsOn"] if name not in ref]

            return change

        for name, problem in [
            ("curator-client", "does not name pkg:maven/org.apache.curator/curator-client@5.7.1"),
            ("openjdk", "does not name openjdk 17.0.1+1"),
            ("home/lib/hottub/libjvm.so", "does not name home/lib/hottub/libjvm.so"),
            ("lib/hottub.jar", "does not name lib/hottub.jar"),
        ]:
            with self.subTest(name=name):
                self.assert_rejected(self.changed(without(name)), problem)

    def test_checker_rejects_what_does_not_fit_the_tree(self):
        self.make()
        (self.tree / "home/lib/hottub/libjvm.so").write_bytes(b"another library")
        (self.tree / "licenses/zlib.txt").unlink()
        (self.tree / "VERSION").write_text("2\n")
        for problem in ("the hash is not that of the file", "there is no licenses/zlib.txt", "does not name hottub 2"):
            self.assert_rejected(self.tree, problem)

    def test_checker_wants_a_list(self):
        (self.tree / "hottub.cdx.json").unlink()
        self.assert_rejected(self.tree, "has no hottub.cdx.json")
