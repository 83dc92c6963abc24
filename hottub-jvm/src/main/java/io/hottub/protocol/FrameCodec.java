// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.protocol;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Frames to bytes and back. Believes nothing that a header says before it is checked. */
final class FrameCodec {
  static final int HEADER_BYTES = 12;
  static final int MAX_PAYLOAD_BYTES = 64 * 1024;

  /** Version of the protocol that this library speaks. */
  static final int VERSION = 1;

  private static final int MAGIC = 0x42555448; // "HTUB" in little endian

  private FrameCodec() {}

  /** A checked header: what follows it on the wire. */
  record Header(FrameType type, int payloadBytes) {}

  /** Returns header and payload in one buffer, ready to be written. */
  static ByteBuffer encode(Frame frame) {
    ByteBuffer payload = frame.payload().duplicate();
    if (payload.remaining() > MAX_PAYLOAD_BYTES) {
      throw new IllegalArgumentException("payload of " + payload.remaining() + " bytes");
    }
    return ByteBuffer.allocate(HEADER_BYTES + payload.remaining())
        .order(ByteOrder.LITTLE_ENDIAN)
        .putInt(MAGIC)
        .putShort((short) VERSION)
        .putShort((short) frame.type().code())
        .putInt(payload.remaining())
        .put(payload)
        .flip();
  }

  /**
   * Reads a header.
   *
   * @param bytes exactly {@link #HEADER_BYTES} bytes
   * @throws ProtocolException on a wrong magic number or version, an unknown type, or a length
   *     outside 0..{@link #MAX_PAYLOAD_BYTES}
   */
  static Header decodeHeader(ByteBuffer bytes) throws ProtocolException {
    ByteBuffer in = bytes.duplicate().order(ByteOrder.LITTLE_ENDIAN);
    if (in.getInt() != MAGIC) {
      throw new ProtocolException("the peer is no keeper: wrong magic number");
    }
    int version = Short.toUnsignedInt(in.getShort());
    if (version != VERSION) {
      throw new ProtocolException(
          "the keeper speaks protocol version " + version + ", this library " + VERSION);
    }
    FrameType type = FrameType.of(Short.toUnsignedInt(in.getShort()));
    int length = in.getInt();
    if (length < 0 || length > MAX_PAYLOAD_BYTES) {
      throw new ProtocolException(
          "payload of " + Integer.toUnsignedString(length) + " bytes is too long");
    }
    return new Header(type, length);
  }
}
