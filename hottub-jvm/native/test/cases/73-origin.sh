# Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2034,SC2154  # sourced by run-tests.sh, which sets and reads these

# Programs of equal sources are equal wherever they were compiled.
test=origin
for program in java keeper pooled-java; do
  equal "$(grep -acF "$(realpath "$here/../..")" "$native/$program")" 0 "lines of $program that name the folder"
done
