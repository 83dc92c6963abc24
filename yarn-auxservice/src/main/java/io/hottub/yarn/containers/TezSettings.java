// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.yarn.containers;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * Finds one setting in a {@code tez-conf.pb}: the protocol buffer {@code ConfigurationProto {
 * repeated PlanKeyValuePair confKeyValues = 1; ... }}, {@code PlanKeyValuePair { string key = 1;
 * string value = 2; }}. Read by hand, because the NodeManager's class path has neither Tez nor a
 * protobuf library that may be relied on.
 */
final class TezSettings {
  private static final int PAIR = 1;
  private static final int KEY = 1;
  private static final int VALUE = 2;

  private static final int VARINT = 0;
  private static final int FIXED64 = 1;
  private static final int BYTES = 2;
  private static final int FIXED32 = 5;

  private TezSettings() {}

  /**
   * Returns the value of a key, empty if the file does not have it.
   *
   * @throws IOException if the content is no such protocol buffer
   */
  static Optional<String> find(byte[] content, String key) throws IOException {
    ByteBuffer in = ByteBuffer.wrap(content);
    Optional<String> value = Optional.empty();
    while (in.hasRemaining()) {
      Optional<ByteBuffer> pair = field(in, PAIR);
      if (pair.isPresent() && key.equals(text(pair.get().duplicate(), KEY))) {
        value = Optional.ofNullable(text(pair.get(), VALUE));
      }
    }
    return value;
  }

  private static String text(ByteBuffer message, int number) throws IOException {
    String text = null;
    while (message.hasRemaining()) {
      Optional<ByteBuffer> bytes = field(message, number);
      if (bytes.isPresent()) {
        text = StandardCharsets.UTF_8.decode(bytes.get()).toString();
      }
    }
    return text;
  }

  /** Reads the next field; returns its bytes if it is the wanted one and consists of bytes. */
  private static Optional<ByteBuffer> field(ByteBuffer in, int wanted) throws IOException {
    long tag = varint(in);
    switch ((int) (tag & 7)) {
      case VARINT -> varint(in);
      case FIXED64 -> skip(in, Long.BYTES);
      case FIXED32 -> skip(in, Integer.BYTES);
      case BYTES -> {
        ByteBuffer bytes = skip(in, varint(in));
        return tag >>> 3 == wanted ? Optional.of(bytes) : Optional.empty();
      }
      default -> throw new IOException("not a protocol buffer: wire type " + (tag & 7));
    }
    return Optional.empty();
  }

  private static long varint(ByteBuffer in) throws IOException {
    long value = 0;
    for (int shift = 0; shift < Long.SIZE; shift += 7) {
      if (!in.hasRemaining()) {
        throw new IOException("not a protocol buffer: it ends within a number");
      }
      byte next = in.get();
      value |= (long) (next & 0x7f) << shift;
      if (next >= 0) {
        return value;
      }
    }
    throw new IOException("not a protocol buffer: a number is too long");
  }

  private static ByteBuffer skip(ByteBuffer in, long length) throws IOException {
    if (length < 0 || length > in.remaining()) {
      throw new IOException("not a protocol buffer: it ends within a field");
    }
    ByteBuffer bytes = in.slice(in.position(), (int) length);
    in.position(in.position() + (int) length);
    return bytes;
  }
}
