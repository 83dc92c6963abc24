# Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0

# Makes tools.h of tools.tsv: TOOLS, the rows of the client's table.

BEGIN {
  FS = "\t"
  print "// Generated from tools.tsv.\n"
  print "#ifndef HOTTUB_TOOLS_H_\n#define HOTTUB_TOOLS_H_\n\n#define TOOLS \\"
}

/^#/ || ($2 == "stock" && NF == 3) { next }
$2 != "pooled" || NF != 6 || $6 !~ /^(prints|asks)$/ {
  print FILENAME ":" FNR ": not the fields that a tool has" >"/dev/stderr"
  failed = 1
  exit 1
}
{
  printf "  {\"%s\", \"%s\", \"%s\", %s, %s, %s}, \\\n", $1, $3 == "-" ? "" : $3, $4,
    $5 ~ /wildcards/ ? "true" : "false", $5 ~ /argfiles/ ? "true" : "false",
    $6 == "prints" ? "true" : "false"
}

END {
  if (failed) exit 1
  print "\n#endif  // HOTTUB_TOOLS_H_"
}
