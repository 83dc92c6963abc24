// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
module app {
  exports app;

  uses app.Greeting;
}
