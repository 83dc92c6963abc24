# Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2034,SC2154  # sourced by run-tests.sh, which sets and reads these
# shellcheck disable=SC2015 # ok does not fail

# The fingerprint follows content, not names or times, and the cache never hides a change.
fingerprint() {
  "$java" "$@" Exit 0 >/dev/null
  last_trace | field fingerprint
}
mkdir -p "$work/d/one" "$work/d/two" "$work/d/tree/p"
jar=$work/d/one/a.jar
echo content-1 >"$jar"
cp "$jar" "$work/d/two/a.jar"
ln -s ../one/a.jar "$work/d/two/link.jar"
echo class-1 >"$work/d/tree/p/X.class"
first=$(fingerprint -cp "$jar")
equal "$(fingerprint -cp "$work/d/two/a.jar")" "$first" "same content elsewhere"
equal "$(fingerprint -cp "$work/d/two/link.jar")" "$first" "a link to it"
equal "$(cd "$work/d/one" && fingerprint -cp '*')" "$first" "found by a wildcard"
equal "$(fingerprint -cp "$jar" -Dany=1 -XX:HeapDumpPath=/tmp)" "$first" "options of the lease"
equal "$(fingerprint -cp "$jar" -Djava.net.preferIPv6Addresses=true)" "$first" "a property of the lease"
[[ $(fingerprint -cp "$jar" -Djava.net.preferIPv4Stack=true) != "$first" ]] && ok || fail "a property that a library reads when it is loaded changes nothing"
[[ $(fingerprint -cp "$jar" -Xmx64m) != "$first" ]] && ok || fail "an option of the VM changes nothing"
[[ $(HOTTUB_TENANT=x fingerprint -cp "$jar") != "$first" ]] && ok || fail "the tenant changes nothing"
identity=$(awk -F '\t' '$1 == "environment" && $3 == "identity" && $2 != "LD_LIBRARY_PATH" { print $2 }' "$here/../../state.tsv")
for variable in $identity LC_COLLATE LC_CTYPE LC_MESSAGES LC_MONETARY LC_NUMERIC LC_PAPER LC_TIME MALLOC_X; do
  [[ $(export "$variable=x" && fingerprint -cp "$jar") != "$first" ]] && ok || fail "$variable changes nothing"
done
[[ $(fingerprint -cp "$jar:$jar") != "$first" ]] && ok || fail "a second entry changes nothing"
equal "$(fingerprint -cp "$jar" -Djdk.a=1 -Djdk.b=2)" "$(fingerprint -cp "$jar" -Djdk.b=2 -Djdk.a=0 -Djdk.a=1)" \
  "order of properties"
in_order() { env -u LANG -u LC_ALL "$@" "$java" -cp "$jar" Exit 0 >/dev/null && last_trace | field fingerprint; }
equal "$(in_order LANG=C MALLOC_X=1)" "$(in_order MALLOC_X=1 LANG=C)" "order of variables"

# Jars that differ in nothing but the times of their entries are one; nothing else in a jar is a time.
if [[ -x $stock/bin/jar ]]; then
  pack() { (cd "$work/d/tree/p" && "$stock/bin/jar" --create --no-manifest --file "$1" --date "$2" X.class); }
  pack "$work/d/one/t.jar" 2001-01-01T01:02:04Z
  pack "$work/d/two/t.jar" 2026-12-31T23:58:58Z
  cmp -s "$work/d/one/t.jar" "$work/d/two/t.jar" && fail "the two jars are equal"
  times=$(fingerprint -cp "$work/d/one/t.jar")
  equal "$(fingerprint -cp "$work/d/two/t.jar")" "$times" "another time of entries"
  size=$(stat -c %s "$work/d/one/t.jar")
  changed=0
  for ((at = 0; at < size; at++)); do
    cp "$work/d/one/t.jar" "$work/d/two/t.jar"
    printf '\377' | dd of="$work/d/two/t.jar" bs=1 seek="$at" conv=notrunc status=none
    cmp -s "$work/d/one/t.jar" "$work/d/two/t.jar" && continue
    [[ $(fingerprint -cp "$work/d/two/t.jar") == "$times" ]] || changed=$((changed + 1))
  done
  # All but four bytes before the entry, and four in the directory.
  equal "$changed" $((size - 8)) "bytes of a jar that count"
else
  echo "skipped: 60-digests: times in jars, there is no jar tool"
fi

# Folders: classes count, anything else does not.
tree=$(fingerprint -cp "$work/d/tree")
echo changed >"$work/d/tree/p/x.properties"
equal "$(fingerprint -cp "$work/d/tree")" "$tree" "a file that is no class"
echo class-2 >"$work/d/tree/p/X.class"
[[ $(fingerprint -cp "$work/d/tree") != "$tree" ]] && ok || fail "a changed class changes nothing"

# Files count as settled, and are cached, after two seconds.
sleep 2.1
cache=$HOTTUB_DIR/$(id -u)/digests
equal "$(fingerprint -cp "$jar")" "$first" "settled"
(($(stat -c %s "$cache") > 88)) && ok || fail "a settled file is not cached"
size=$(stat -c %s "$cache")
equal "$(fingerprint -cp "$jar")" "$first" "from the cache"
equal "$(stat -c %s "$cache")" "$size" "nothing is added twice"

# Same size, same mtime, other content: only ctime tells.
cp -p "$jar" "$work/d/before.jar"
echo content-2 >"$jar"
touch -r "$work/d/before.jar" "$jar"
[[ $(fingerprint -cp "$jar") != "$first" ]] && ok || fail "a change with the old size and mtime is not seen"
echo content-1 >"$jar"
equal "$(fingerprint -cp "$jar")" "$first" "the old content again"

# A damaged cache is ignored and written again.
sleep 2.1
fingerprint -cp "$jar" >/dev/null
for at in 3 120 200 250; do
  printf '\377\377\377\377' | dd of="$cache" bs=1 seek=$at conv=notrunc status=none
  equal "$(fingerprint -cp "$jar")" "$first" "cache damaged at $at"
  equal "$(fingerprint -cp "$jar")" "$first" "cache after damage at $at"
done
truncate -s -5 "$cache"
equal "$(fingerprint -cp "$jar")" "$first" "torn cache"
equal $(($(stat -c %s "$cache") % 88)) 0 "the torn cache was written again"
: >"$cache"
equal "$(fingerprint -cp "$jar")" "$first" "empty cache"
equal "$(stat -c %a "$cache")" 600 "mode of the cache"
