// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
module service {
  requires app;

  provides app.Greeting with
      service.Counting;
}
