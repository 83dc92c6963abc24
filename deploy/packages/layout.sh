# shellcheck shell=bash
# Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
#
# Where the files of the tarball lie on a system that a package manager looks after. Both packages have this tree:
#
#   /usr/lib/hottub          the installation: home, lib, bin, conf, VERSION
#   /etc/hottub/java         settings of the JDK of the home
#   /etc/hottub/recipes      for the operator's recipes
#   /usr/bin/hottub
#   /usr/lib/tmpfiles.d/hottub.conf
#   /usr/share/doc/hottub    pages, licences, hottub.cdx.json (whose paths are those of the tarball)
#   /usr/share/man/man1/hottub.1.gz

prefix=/usr/lib/hottub

# lay_out TARBALL ROOT MANUAL: below ROOT, which must not exist yet; MANUAL is the manual page. All files get the time of
# SOURCE_DATE_EPOCH, which is by default that of the tarball's.
lay_out() {
  local tarball=$1 root=$2 manual=$3 install=$2$prefix file
  mkdir -p "$install" "$root"/etc/hottub/recipes "$root"/usr/{bin,lib/tmpfiles.d,share/doc/hottub,share/man/man1}
  tar -C "$install" --strip-components=1 -xzf "$tarball"
  export SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(stat -c %Y "$install/VERSION")}

  mv "$install/home/conf" "$root/etc/hottub/java"
  ln -s /etc/hottub/java "$install/home/conf"
  ln -s ../lib/hottub/bin/hottub "$root/usr/bin/hottub"
  mv "$install/conf/tmpfiles.d/hottub.conf" "$root/usr/lib/tmpfiles.d/"
  rmdir "$install/conf/tmpfiles.d"
  for file in "$install"/conf/*.xml; do
    sed -i "s|@HOTTUB@|$prefix|g" "$file"
  done

  mv "$install"/{docs,NOTICE,hottub.cdx.json,licenses} "$root/usr/share/doc/hottub/"
  mv "$install/INSTALL.md" "$root/usr/share/doc/hottub/README.md"
  rm "$install/LICENSE"
  # Where a package manager knows that there is bash, nothing has to look for it.
  sed -i '1s|.*|#!/bin/bash|' "$install/bin/hottub"
  gzip -9n <"$manual" >"$root/usr/share/man/man1/hottub.1.gz"

  # As a checkout or a umask may have left them; programs stay programs.
  chmod -R u=rwX,go=rX "$root"
  find "$root" -exec touch --no-dereference --date="@$SOURCE_DATE_EPOCH" {} +
}
