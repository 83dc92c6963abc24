// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.protocol;

/** Types of frames between a keeper and its peers, with their numbers on the wire. */
enum FrameType {
  LEASE(1),
  GRANTED(2),
  REFUSED(3),
  ENTERED(4),
  EXIT(5),
  SIGNAL(6),
  STATUS(7),
  STATE(8),
  REVOKE(9),
  RETIRE(10),
  DONE(11),
  AUDIT(12),
  STOPPED(13),
  KEEP(14),
  CHILDREN(15),
  GROUP_SIGNAL(16),
  ALONE(17),
  CLONE(18),
  RAN(19);

  private final int code;

  FrameType(int code) {
    this.code = code;
  }

  int code() {
    return code;
  }

  /**
   * @throws ProtocolException if no type has this number
   */
  static FrameType of(int code) throws ProtocolException {
    for (FrameType type : values()) {
      if (type.code == code) {
        return type;
      }
    }
    throw new ProtocolException("unknown frame type " + code);
  }
}
