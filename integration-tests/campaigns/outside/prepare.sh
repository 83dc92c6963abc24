# shellcheck shell=bash
# shellcheck disable=SC2034,SC2154 # shared with the scripts that read it
# Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
#
# The public programs, ready to be run: sets $programs, and $arguments for one of them. Wants $work, $pool and $stock.

outside=$root/integration-tests/campaigns/outside
jars=$("$outside/fetch") || die "no programs"
declare -A class_path_of=() title_of=() command_of=() reason_of=() filter_of=()
programs=()
# shellcheck source=../outside/programs.sh
source "$outside/programs.sh"

# make_inputs: what every run starts with, in $work/inputs, and its environment.
make_inputs() {
  cp -r "$outside/inputs" "$work/inputs"
  mkdir "$work/inputs/classes" "$work/inputs/out" "$work/inputs/tmp"
  "$stock/bin/javac" -d "$work/inputs/classes" "$work/inputs/Primes.java" "$work/inputs/Old.java"
  "$stock/bin/jar" --create --date=2020-01-01T00:00:00Z --file "$work/inputs/primes.jar" -C "$work/inputs/classes" . ||
    die "cannot make the inputs"
  find "$work/inputs" -exec touch -h -d 2020-01-01 {} +
  environment=(PATH=/usr/bin:/bin "HOME=$work/run" LANG=C.UTF-8 TZ=UTC "HOTTUB_DIR=$pool" "HOTTUB_TRACE=$work/trace")
}

# Sets $arguments to the arguments of java for a program.
arguments_of() {
  local -a words
  local path
  mapfile -t words <<<"${command_of[$1]%$'\n'}"
  path=$(printf '%s:' "$jars/${class_path_of[$1]}"/*.jar)
  # Hadoop's configuration is a folder on the class path; each run has its own.
  [[ ${class_path_of[$1]} != hadoop ]] || path=$work/run/conf:$path
  arguments=(-Xmx1g "-Djava.io.tmpdir=$work/run/tmp" "-Duser.home=$work/run/tmp")
  while [[ ${words[0]} == --* || ${words[0]} == -D* ]]; do
    arguments+=("${words[0]}")
    words=("${words[@]:1}")
  done
  if [[ ${words[0]} == *.jar ]]; then
    arguments+=(-jar "$jars/${class_path_of[$1]}/${words[0]}" "${words[@]:1}")
  else
    arguments+=(-cp "${path%:}" "${words[@]}")
  fi
}
