# Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
"""The scripts of the management pack for Ambari: each command changes a host for real."""

import functools
import hashlib
import http.server
import os
import pathlib
import stat
import tempfile
import threading
import unittest
from unittest import mock

from ambari_agent import SERVICE, Agent, load
from packages import make_tarball

NO_STATUS = 3


class ScriptsTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        temporary = tempfile.TemporaryDirectory()
        cls.addClassCleanup(temporary.cleanup)
        cls.tarball = make_tarball(pathlib.Path(temporary.name))

    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)
        self.agent = Agent(self.folder, self.tarball)
        self.root = self.agent.root
        self.current = self.root / "usr/lib/hottub/current"

    def run_command(self, command, script="hottub_client.py"):
        status, out = self.agent.run(command, script)
        self.assertEqual(status, 0, out)
        return out

    def assert_fails(self, command, message, script="hottub_client.py"):
        status, out = self.agent.run(command, script)
        self.assertEqual(status, 1, out)
        self.assertIn(message, out)

    def test_install(self):
        self.run_command("INSTALL")
        self.assertTrue(os.access(self.current / "home/bin/java", os.X_OK))
        self.assertEqual(self.current.resolve().name, self.agent.env["hottub_archive_sha256"][:12])
        self.assertEqual((self.root / "usr/bin/hottub").resolve(), (self.current / "bin/hottub").resolve())
        self.assertEqual(stat.S_IMODE((self.root / "run/hottub").stat().st_mode), 0o1777)
        self.assertIn("d /run/hottub 1777 root root", (self.root / "etc/tmpfiles.d/hottub.conf").read_text())

    def test_install_again_changes_nothing(self):
        self.run_command("INSTALL")
        before = self.agent.files()
        inode = (self.current / "home/bin/java").stat().st_ino
        self.run_command("INSTALL")
        self.assertEqual(self.agent.files(), before)
        self.assertEqual((self.current / "home/bin/java").stat().st_ino, inode)

    def test_an_installation_that_was_cut_off_is_made_anew(self):
        unpacked = self.root / "usr/lib/hottub" / self.agent.env["hottub_archive_sha256"][:12]
        (unpacked.parent / (unpacked.name + ".new") / "left").mkdir(parents=True)
        self.run_command("INSTALL")
        self.assertFalse((self.current / "left").exists())

    def test_install_over_http(self):
        handler = functools.partial(QuietHandler, directory=self.tarball.parent)
        with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
            thread = threading.Thread(target=server.serve_forever)
            thread.start()
            try:
                self.agent.env["hottub_archive"] = f"http://127.0.0.1:{server.server_port}/{self.tarball.name}"
                self.run_command("INSTALL")
            finally:
                server.shutdown()
                thread.join()
        self.assertTrue(os.access(self.current / "home/bin/java", os.X_OK))
        self.assertEqual([path.name for path in self.current.parent.iterdir() if path.suffix == ".gz"], [])

    def test_a_new_version_lies_beside_the_old(self):
        self.run_command("INSTALL")
        old = self.current.resolve()
        newer = self.folder / "newer.tar.gz"
        # A gzip file may have several parts.
        newer.write_bytes(self.tarball.read_bytes() + bytes.fromhex("1f8b080000000000000303000000000000000000"))
        self.agent.env["hottub_archive"] = str(newer)
        self.agent.env["hottub_archive_sha256"] = hashlib.sha256(newer.read_bytes()).hexdigest()
        self.run_command("INSTALL")
        self.assertNotEqual(self.current.resolve(), old)
        self.assertTrue((old / "home/bin/java").exists())

    def test_another_tarball_is_not_installed(self):
        self.agent.env["hottub_archive_sha256"] = "0" * 64
        self.assert_fails("INSTALL", "correct the setting or replace the file")
        self.assertEqual(list((self.root / "usr/lib/hottub").iterdir()), [])

    def test_what_is_no_hash(self):
        self.agent.env["hottub_archive_sha256"] = "abc"
        self.assert_fails("INSTALL", "is no SHA-256: enter what sha256sum prints")

    def test_a_missing_tarball(self):
        self.agent.env["hottub_archive"] = "/nowhere/hottub.tar.gz"
        self.assert_fails("INSTALL", "there is no /nowhere/hottub.tar.gz on this host; copy it there, or enter a URL")

    def test_configure_restores_what_was_lost(self):
        self.run_command("INSTALL")
        (self.root / "run/hottub").rmdir()
        (self.root / "etc/tmpfiles.d/hottub.conf").unlink()
        before = self.agent.files()
        self.run_command("CONFIGURE")
        restored = set(self.agent.files()) - set(before)
        self.assertEqual(restored, {"run/hottub", "etc/tmpfiles.d/hottub.conf"})

    def test_status(self):
        self.assertEqual(self.agent.run("STATUS")[0], NO_STATUS)

    def test_uninstall_leaves_nothing(self):
        before = self.agent.files()
        self.run_command("INSTALL")
        (self.root / "run/hottub" / str(os.getuid())).mkdir()
        self.agent.yarn_site["yarn.nodemanager.aux-services"] = "mapreduce_shuffle"
        self.run_command("UNINSTALL")
        self.assertEqual(self.agent.files(), before)

    def test_uninstall_again(self):
        self.run_command("INSTALL")
        self.run_command("UNINSTALL")
        self.run_command("UNINSTALL")

    def test_uninstall_waits_for_yarn(self):
        self.run_command("INSTALL")
        self.agent.yarn_site["yarn.nodemanager.aux-services"] = "mapreduce_shuffle,hottub"
        before = self.agent.files()
        self.assert_fails("UNINSTALL", "still has hottub: set hottub-env/hottub_enabled to false")
        self.assertEqual(self.agent.files(), before)

    def test_service_check(self):
        self.run_command("INSTALL")
        self.assertIn("a warm JVM has served a run", self.run_command("SERVICE_CHECK", "service_check.py"))

    def test_service_check_without_a_pool(self):
        self.run_command("INSTALL")
        java = self.current / "home/bin/java"
        java.write_text("#!/bin/sh\necho '{\"served\":\"cold\",\"reason\":\"pool-full\"}' >>\"$HOTTUB_TRACE\"\n")
        self.assert_fails("SERVICE_CHECK", "the last was served by cold, reason pool-full", "service_check.py")

    # ---- the alert

    def alert(self, **changes):
        alert = load(SERVICE / "package/alerts/alert_hottub_installed.py")
        tokens = {
            alert.ROOT_KEY: str(self.root / "usr/lib/hottub"),
            alert.SHA256_KEY: self.agent.env["hottub_archive_sha256"],
        }
        self.assertEqual(set(alert.get_tokens()), set(tokens))
        given = {"POOLS": str(self.root / "run/hottub"), "OWNER": os.getuid(), **changes}
        with mock.patch.multiple(alert, **given):
            return alert.execute(tokens)

    def test_alert(self):
        self.assertEqual(self.alert()[0], "CRITICAL")
        self.run_command("INSTALL")
        self.assertEqual(self.alert()[0], "OK")
        self.assertEqual(self.alert(OWNER=os.getuid() + 1)[0], "CRITICAL")
        (self.root / "run/hottub").chmod(0o755)
        self.assertEqual(self.alert()[0], "CRITICAL")
        (self.root / "run/hottub").rmdir()
        state, (line,) = self.alert()
        self.assertEqual(state, "CRITICAL")
        self.assertIn("systemd-tmpfiles --create hottub.conf", line)

    def test_alert_of_an_old_version(self):
        self.run_command("INSTALL")
        self.agent.env["hottub_archive_sha256"] = "f" * 64
        self.assertEqual(self.alert()[0], "WARNING")

    def test_alert_without_settings(self):
        alert = load(SERVICE / "package/alerts/alert_hottub_installed.py")
        self.assertEqual(alert.execute({})[0], "UNKNOWN")


class QuietHandler(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


if __name__ == "__main__":
    unittest.main()
