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
    return Reasons.refused(reason).map(Reasons.Reason::word).orElse("reason " + reason);
  }
}
