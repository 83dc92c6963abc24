# Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
"""What may be in a tarball, and under which licence. Whoever ships something new adds it here."""

from typing import NamedTuple

APACHE = "Apache-2.0"
GPL = "GPL-2.0-only WITH Classpath-exception-2.0"

# The text of a licence, in licenses/ of the tarball.
TEXTS = {APACHE: "Apache-2.0.txt", GPL: "GPL-2.0-CE.txt"}


class Artifact(NamedTuple):
    """Artifacts of Maven that a jar may contain; all of them have the licence Apache-2.0."""

    # A pattern of GROUP:ARTIFACT.
    name: str
    # Where their classes are, before relocation.
    folders: tuple = ()


ARTIFACTS = [
    Artifact(r"io\.hottub:.*", ("io/hottub/",)),
    Artifact(r"io\.dropwizard\.metrics:.*", ("com/codahale/metrics/",)),
    Artifact(r"org\.apache\.curator:.*", ("org/apache/curator/",)),
    Artifact(r"org\.apache\.zookeeper:.*", ("org/apache/zookeeper/", "org/apache/jute/")),
    Artifact(r"com\.google\.guava:guava", ("org/apache/curator/shaded/com/google/",)),
    # Among Guava's own classes.
    Artifact(r"com\.google\.guava:(failureaccess|listenablefuture)"),
]

# Below it are the classes of others.
SHADED = "io/hottub/shaded/"

# What an artifact contains without saying so, by its coordinates: a new version of it may contain another one.
HIDDEN = {"org.apache.curator:curator-client:5.7.1": "com.google.guava:guava:32.0.0-jre"}


class Library(NamedTuple):
    """A library that the client contains, by the package of the distribution that it is from."""

    package: str
    name: str
    licence: str


LIBRARIES = [
    Library(r"musl-dev", "musl", "MIT"),
    Library(r"libc6-dev", "glibc", "LGPL-2.1-or-later"),
    Library(r"zlib1g-dev", "zlib", "Zlib"),
    Library(r"libgcc-\d+-dev", "libgcc", "GPL-3.0-or-later WITH GCC-exception-3.1"),
]

CLIENT = "home/bin/java"

# HotTub's own in the home, besides the client: all that is in home/lib/hottub, and its licence. Class data archives are
# made of classes of the JDK.
OWN = {
    "build-id": APACHE,
    "classes.jsa": GPL,
    "classes_nocoops.jsa": GPL,
    "keeper": APACHE,
    "libjvm.so": GPL,
    "pooled-java": GPL,
    "runtime": GPL,
}
