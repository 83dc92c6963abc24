// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.protocol;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * One message on a keeper's socket.
 *
 * @param payload little endian, ready to be read; at most {@link FrameCodec#MAX_PAYLOAD_BYTES}
 */
record Frame(FrameType type, ByteBuffer payload) {

  static Frame empty(FrameType type) {
    return new Frame(type, ByteBuffer.allocate(0));
  }

  static Frame ofInt(FrameType type, int value) {
    ByteBuffer payload = ByteBuffer.allocate(Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    return new Frame(type, payload.putInt(value).flip());
  }
}
