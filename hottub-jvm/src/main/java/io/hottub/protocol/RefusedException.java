// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.protocol;

import java.io.IOException;

/** The keeper understood the request and said no. */
public final class RefusedException extends IOException {
  private static final long serialVersionUID = 1L;

  RefusedException(int reason) {
    super("refused by the keeper: " + name(reason));
  }

  private static String name(int reason) {
    return switch (reason) {
      case 1 -> "busy";
      case 2 -> "retiring";
      case 3 -> "malformed";
      case 4 -> "descriptor-conflict";
      case 5 -> "version";
      default -> "reason " + reason;
    };
  }
}
