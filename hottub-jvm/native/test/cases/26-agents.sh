# Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2034,SC2154  # sourced by run-tests.sh, which sets and reads these
# shellcheck disable=SC2015 # ok does not fail

# -javaagent: what the lease has of agents for which the pool's owner vouches, and that others are cold.
if [[ ! -x $stock/bin/jar ]]; then
  echo "skipped: $test needs STOCK_JDK=DIR, a JDK 17"
  return 0
fi
list=$HOTTUB_DIR/$(id -u)/agents
mkdir -p "$work/agents"
agent_jar() { # NAME ATTRIBUTE...
  (cd "$work/agents" && printf '%s\n' "${@:2}" >mf && echo "$1" >content && "$stock/bin/jar" --create --file "$1" --manifest mf content)
}
agent_jar a.jar 'Premain-Class: my.Agent'
agent_jar b.jar 'Premain-Class: my.Other' 'Can-Redefine-Classes: false'
agent_jar none.jar 'Agent-Class: my.Agent'
agent_jar accent.jar 'Premain-Class: my.Agènt'
agent_jar boot.jar 'Premain-Class: my.Agent' 'Boot-Class-Path: x.jar'
for name in Redefine-Classes Retransform-Classes Set-Native-Method-Prefix; do
  agent_jar "$name.jar" 'Premain-Class: my.Agent' "Can-$name: TRUE"
done
agent() { # WHAT ARGUMENT...: the reason of a cold run, or "pool"
  local by expected=$1
  shift
  eventually none_busy
  (cd "$work/agents" && "$java" "$@") >"$work/out" 2>&1
  by=$(last_trace | field reason)
  [[ $by == null ]] && by=$(last_trace | field served)
  equal "$by" "$expected" "served: ${*//$work/}"
}

agent agent -javaagent:a.jar -cp "$work/classes" Dump
printf '%s\n' '# a comment' '  my.Agent # ours' '' my.Other >"$list"
agent pool -javaagent:a.jar -cp "$work/classes" Dump
grep -qx 'late=-javaagent:my.Agent' "$work/out" && ok || fail "the lease does not name the agent: $(cat "$work/out")"
grep -qx "prop=java.class.path=$work/classes" "$work/out" && ok || fail "another class path is shown"
agent pool -javaagent:a.jar=x=y -javaagent:b.jar= -cp "$work/classes" Dump
equal "$(grep '^late=' "$work/out" | paste -sd ' ')" "late=-javaagent:my.Agent=x=y late=-javaagent:my.Other=" "agents of the lease"
one=$(last_trace | field fingerprint)
agent pool -javaagent:a.jar=z -javaagent:b.jar -cp "$work/classes" Dump
equal "$(last_trace | field fingerprint)" "$one" "fingerprint with other options of agents"
agent pool -javaagent:a.jar -cp "$work/classes" Dump
[[ $(last_trace | field fingerprint) != "$one" ]] && ok || fail "an agent more changes nothing"
JAVA_TOOL_OPTIONS=-javaagent:a.jar agent pool -cp "$work/classes" Dump
grep -qx 'late=-javaagent:my.Agent' "$work/out" && ok || fail "an agent of JAVA_TOOL_OPTIONS is lost"

for jar in none.jar accent.jar boot.jar Redefine-Classes.jar Retransform-Classes.jar Set-Native-Method-Prefix.jar absent.jar mf ''; do
  agent agent "-javaagent:$jar" -cp "$work/classes" Dump
done
agent agent -javaagent:a.jar=ö -cp "$work/classes" Dump
agent agent -javaagent:a.jar -m jdk.compiler/com.sun.tools.javac.Main
agent agent -agentpath:a.jar -cp "$work/classes" Dump
agent agent -agentlib:a.jar -cp "$work/classes" Dump
agent agent -Xrunjdwp -cp "$work/classes" Dump

# A list that is not one.
head -c 70000 /dev/zero | tr '\0' '\n' >"$list"
echo my.Agent >>"$list"
agent agent -javaagent:a.jar -cp "$work/classes" Dump
ln -sf "$work/agents/mf" "$list"
echo my.Agent >"$work/agents/mf"
agent agent -javaagent:a.jar -cp "$work/classes" Dump
rm "$list"
