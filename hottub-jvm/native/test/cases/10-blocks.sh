# Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2034,SC2154  # sourced by run-tests.sh, which sets and reads these

# Lease block and SHA-256, without any other process.
if "$native/test/lease-test"; then ok; else fail "lease-test"; fi
# Where the pool is: the cases that the Java library keeps, too.
if "$native/test/root-test" "$here/../../roots.tsv"; then ok; else fail "root-test"; fi
if "$native/test/room-test" "$here/../../room.tsv"; then ok; else fail "room-test"; fi
