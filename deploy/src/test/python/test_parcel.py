# Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
"""The parcel: what is in it, what its script does, and what the checker of parcels rejects."""

import hashlib
import io
import json
import pathlib
import subprocess
import tarfile
import tempfile
import unittest

from packages import DEPLOY, VERSION, CheckerTest, make_tarball, run

FOLDER = f"HOTTUB-{VERSION}"
NAME = f"{FOLDER}-el9.parcel"


class ParcelTest(CheckerTest):
    checker = "parcel"

    @classmethod
    def setUpClass(cls):
        temporary = tempfile.TemporaryDirectory()
        cls.addClassCleanup(temporary.cleanup)
        cls.made = pathlib.Path(temporary.name)
        tarball = make_tarball(cls.made)
        run(DEPLOY / "cloudera/parcel/make", tarball, cls.made / "repository")
        with tarfile.open(cls.made / "repository" / NAME) as parcel:
            cls.members = [(member, parcel.extractfile(member).read() if member.isreg() else b"") for member in parcel]

    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)

    def meta(self, name):
        return next(data.decode() for member, data in self.members if member.name == f"{FOLDER}/meta/{name}")

    def repository(self, name=NAME, change=lambda path, info, data: data, more=(), manifest=lambda value: value):
        """A repository of the parcel, some of whose files are changed.

        change: gets path in the parcel, TarInfo and content of each file; returns the content, or None to leave it out
        more: further (TarInfo, content)
        manifest: gets the right one, returns the one that is written
        """
        file = self.folder / name
        with tarfile.open(file, "w:gz") as parcel:
            for member, data in self.members:
                info = tarfile.TarInfo.frombuf(member.tobuf(), "utf-8", "strict")
                data = change(info.name.partition("/")[2], info, data)
                if data is not None:
                    info.size = len(data)
                    parcel.addfile(info, io.BytesIO(data))
            for info, data in more:
                info.size = len(data)
                parcel.addfile(info, io.BytesIO(data))
        right = json.loads((self.made / "repository/manifest.json").read_text())
        entry = right["parcels"][0] | {"parcelName": name, "hash": hashlib.sha1(file.read_bytes()).hexdigest()}
        (self.folder / "manifest.json").write_text(json.dumps(manifest(right | {"parcels": [entry]})))
        return self.folder

    def meta_changed(self, name, old, new):
        """The repository with a file of meta/ in which something is another."""
        self.assertIn(old, self.meta(name))
        return self.repository(
            change=lambda path, _, data: data.decode().replace(old, new).encode() if path == f"meta/{name}" else data
        )

    # ---- what make makes

    def test_is_right_and_for_every_distribution(self):
        repository = self.made / "repository"
        self.assertEqual(self.check(repository), [])
        codes = [file.name.split("-")[-1] for file in sorted(repository.glob("*.parcel"))]
        self.assertEqual(codes, [f"{code}.parcel" for code in "el8 el9 focal jammy noble sles15".split()])
        for file in repository.glob("*.parcel"):
            digest = pathlib.Path(f"{file}.sha").read_text().strip()
            self.assertEqual(digest, hashlib.sha1(file.read_bytes()).hexdigest())

    def test_has_all_of_the_tarball(self):
        with tarfile.open(self.made / f"deploy/target/hottub-{VERSION}.tar.gz") as tarball:
            expected = {member.name.partition("/")[2]: member.mode for member in tarball}
        found = {member.name.partition("/")[2]: member.mode for member, _ in self.members}
        self.assertEqual({path: mode for path, mode in found.items() if not path.startswith("meta")}, expected)

    def test_is_only_for_distributions_whose_c_library_suffices(self):
        home = self.made / "hottub-jvm/target/hottub-home/bin"
        (home / "program").write_bytes(b"\x7fELF\0GLIBC_2.2.5\0GLIBC_2.4\0GLIBC_2.34\0")
        try:
            run(self.made / "deploy/package", VERSION)
            run(DEPLOY / "cloudera/parcel/make", self.made / f"deploy/target/hottub-{VERSION}.tar.gz", self.folder)
        finally:
            (home / "program").unlink()
            run(self.made / "deploy/package", VERSION)
        codes = [file.name.split("-")[-1] for file in sorted(self.folder.glob("*.parcel"))]
        self.assertEqual(codes, ["el9.parcel", "jammy.parcel", "noble.parcel"])

    def test_an_equal_tarball_gives_an_equal_parcel(self):
        again = self.folder / "again"
        run(DEPLOY / "cloudera/parcel/make", self.made / f"deploy/target/hottub-{VERSION}.tar.gz", again)
        self.assertEqual((again / NAME).read_bytes(), (self.made / "repository" / NAME).read_bytes())

    def test_what_is_no_tarball_is_refused(self):
        refused = subprocess.run(
            [DEPLOY / "cloudera/parcel/make", self.folder / "x.tar.gz", self.folder], capture_output=True, text=True, check=False
        )
        self.assertEqual(refused.returncode, 1)
        self.assertIn("is no tarball of HotTub; ./mvnw package leaves", refused.stderr)

    # ---- the script

    def sourced(self, before=""):
        script = self.folder / "hottub_env.sh"
        script.write_text(self.meta("hottub_env.sh"))
        # As the strictest of Cloudera's own scripts, and twice.
        lines = f"set -euo pipefail; {before} . {script}; . {script}; env"
        environment = {"PATH": "/usr/bin:/bin", "PARCELS_ROOT": "/p", "PARCEL_DIRNAME": FOLDER}
        return dict(line.split("=", 1) for line in run("bash", "-c", lines, env=environment).splitlines() if "=" in line)

    def test_script_adds_to_class_paths(self):
        found = self.sourced()
        self.assertEqual(found["HADOOP_CLASSPATH"], f"/p/{FOLDER}/lib/yarn/*")
        self.assertEqual(found["SPARK_DIST_CLASSPATH"], f"/p/{FOLDER}/lib/spark/*")
        self.assertEqual(found["CDH_SPARK_CLASSPATH"], f"/p/{FOLDER}/lib/spark/*")

    def test_script_keeps_what_is_there(self):
        found = self.sourced("export HADOOP_CLASSPATH=/a.jar SPARK_DIST_CLASSPATH=/b/*;")
        self.assertEqual(found["HADOOP_CLASSPATH"], f"/a.jar:/p/{FOLDER}/lib/yarn/*")
        self.assertEqual(found["SPARK_DIST_CLASSPATH"], f"/b/*:/p/{FOLDER}/lib/spark/*")

    def test_script_changes_nothing_of_the_pool_and_of_java(self):
        self.assertEqual([name for name in self.sourced() if name in ("JAVA_HOME", "HOTTUB", "HOTTUB_DIR")], [])

    # ---- what the checker rejects

    def test_names(self):
        self.assert_rejected(self.repository(name="HOTTUB.parcel"), "a parcel is named NAME-VERSION-DISTRIBUTION.parcel")

    def test_distributions(self):
        self.assert_rejected(self.repository(name=f"{FOLDER}-bookworm.parcel"), "bookworm is no distribution")

    def test_version_of_name_and_parcel_json(self):
        self.assert_rejected(self.meta_changed("parcel.json", f'"version": "{VERSION}",', '"version": "9",'), "is of HOTTUB-9")

    def test_without_parcel_json(self):
        left_out = self.repository(change=lambda path, _, data: None if path == "meta/parcel.json" else data)
        self.assert_rejected(left_out, "has no meta/parcel.json")

    def test_fields_of_parcel_json(self):
        for old, new, problem in [
            ('"schema_version": 1', '"schema_version": 2', "schema_version: must be 1"),
            ('"setActiveSymlink": true', '"setActiveSymlink": "yes"', "must be true or false"),
            ('"users": {},', "", "has no users"),
            ('"depends": ""', '"depends": "CDH >= 7"', "depends: must be parcels as in"),
            ('"groups": []', '"groups": {}', "groups: must be a list"),
            ('"name": "HOTTUB"', '"name": "HOT-TUB"', "a name without -"),
            ('"replaces"', '"obsoletes"', "obsoletes: is not known here"),
            ('"conflicts": ""', '"depends": ""', "depends is there twice"),
            ('"groups": []', '"groups": [],', "not JSON"),
        ]:
            with self.subTest(problem):
                self.assert_rejected(self.meta_changed("parcel.json", old, new), problem)

    def test_missing_script(self):
        self.assert_rejected(self.meta_changed("parcel.json", "hottub_env.sh", "other.sh"), "other.sh, which is not in meta/")

    def test_script_that_ends_its_reader(self):
        changed = self.meta_changed("hottub_env.sh", "HOTTUB_DIRNAME=", "[[ -d /x ]] || exit 1\nHOTTUB_DIRNAME=")
        self.assert_rejected(changed, "ends the shell of who reads it")

    def test_script_with_an_error(self):
        self.assert_rejected(self.meta_changed("hottub_env.sh", "esac", ""), "bash cannot read it")

    def test_script_without_export(self):
        self.assert_rejected(self.meta_changed("hottub_env.sh", "export", "declare"), "exports nothing")

    def test_alternatives(self):
        self.assert_rejected(self.meta_changed("alternatives.json", '"bin/hottub"', '"bin/other"'), "no file bin/other")
        self.assert_rejected(self.meta_changed("alternatives.json", '"/usr/bin', '"usr/bin'), "must be an absolute path")
        self.assert_rejected(self.meta_changed("alternatives.json", '"priority": 10', '"priority": "10"'), "a whole number")
        self.assert_rejected(self.meta_changed("alternatives.json", "false", "true"), "there is no folder")

    def test_permissions(self):
        self.assert_rejected(self.meta_changed("permissions.json", '"0755"', '"rwxr-xr-x"'), "octal digits")
        self.assert_rejected(self.meta_changed("permissions.json", '"conf/recipes"', '"conf/other"'), "no conf/other")
        self.assert_rejected(self.meta_changed("permissions.json", '"user": "root", ', ""), "has no user")

    def test_files_outside_of_the_folder(self):
        self.assert_rejected(self.repository(more=[(tarfile.TarInfo("other/file"), b"")]), "other/file is outside of")
        self.assert_rejected(self.repository(more=[(tarfile.TarInfo(f"{FOLDER}/../x"), b"")]), "is outside of")

    def test_links_out_of_the_parcel(self):
        link = tarfile.TarInfo(f"{FOLDER}/lib/link")
        link.type = tarfile.SYMTYPE
        link.linkname = "../../../etc/passwd"
        self.assert_rejected(self.repository(more=[(link, b"")]), "out of the parcel")

    def test_files_that_others_may_change(self):
        def change(path, info, data):
            if path == "bin/hottub":
                info.mode = 0o777
            return data

        self.assert_rejected(self.repository(change=change), "bin/hottub may be changed by others than root")

    def test_what_is_no_archive(self):
        self.repository()
        (self.folder / NAME).write_text("no archive")
        self.assert_rejected(self.folder, "no tar archive packed with gzip")

    def test_manifest(self):
        for manifest, problem in [
            (lambda value: {"parcels": value["parcels"]}, "has no lastUpdated"),
            (lambda value: value | {"lastUpdated": "2026-01-01"}, "a whole number"),
            (lambda value: value | {"parcels": value["parcels"] * 2}, "two items have the parcelName"),
            (lambda value: value | {"parcels": []}, "there, but not listed"),
            (lambda value: value | {"parcels": [value["parcels"][0] | {"hash": "0" * 40}]}, "is not that of the parcel"),
            (lambda value: value | {"parcels": [value["parcels"][0] | {"hash": "md5"}]}, "a SHA-1 hash"),
            (lambda value: value | {"parcels": [value["parcels"][0] | {"components": []}]}, "components differs"),
            (lambda value: value | {"parcels": [value["parcels"][0] | {"parcelName": "X-1-el9.parcel"}]}, "listed, but not"),
        ]:
            with self.subTest(problem):
                self.assert_rejected(self.repository(manifest=manifest), problem)

    def test_without_manifest(self):
        self.repository()
        (self.folder / "manifest.json").unlink()
        self.assert_rejected(self.folder, "has no manifest.json")

    def test_without_parcels(self):
        self.assert_rejected(self.folder, "there is no parcel")


if __name__ == "__main__":
    unittest.main()
