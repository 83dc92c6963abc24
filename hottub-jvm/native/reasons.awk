# Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

# Makes reasons.h of reasons.tsv: the names by which C code gives a reason. What is not in the table has no name.
#   cold, retired  COLD_POOL_FULL, an enumerator; COLD_WORDS gives the word to each
#   refused        REFUSED_BUSY, an enumerator with its number on the wire
#   doubt          DOUBT_LIBRARY_STAYS_LOADED, the sentence itself, so that the compiler checks what goes into it

BEGIN {
  FS = "\t"
  print "// Generated from reasons.tsv.\n"
  print "#ifndef HOTTUB_REASONS_H_\n#define HOTTUB_REASONS_H_\n"
}

# pool-full -> POOL_FULL; "library %s stays loaded" -> LIBRARY_STAYS_LOADED
function name(word) {
  gsub(/%[-.*0-9]*[a-z]/, "", word)
  gsub(/[^A-Za-z0-9]+/, "_", word)
  gsub(/^_|_$/, "", word)
  return toupper(word)
}

/^#/ { next }
NF != ($1 == "refused" ? 5 : 4) {
  print FILENAME ":" FNR ": not the fields that a reason has" >"/dev/stderr"
  failed = 1
  exit 1
}
$1 == "cold" || $1 == "retired" {
  constant = toupper($1) "_" name($2)
  enumerators[$1] = enumerators[$1] "  " constant ",\n"
  words[$1] = words[$1] " \\\n  [" constant "] = \"" $2 "\","
}
$1 == "refused" { enumerators[$1] = enumerators[$1] "  REFUSED_" name($2) " = " $5 ",\n" }
$1 == "doubt" { doubts = doubts "#define DOUBT_" name($2) " \"" $2 "\"\n" }

END {
  if (failed) exit 1
  print "enum cold_reason {\n  COLD_NONE,\n" enumerators["cold"] "};\n#define COLD_WORDS" words["cold"] "\n"
  print "enum retired_reason {\n  RETIRED_NONE,\n" enumerators["retired"] "};\n#define RETIRED_WORDS" words["retired"] "\n"
  print "enum refused_reason {\n" enumerators["refused"] "};\n"
  print doubts "\n#endif  // HOTTUB_REASONS_H_"
}
