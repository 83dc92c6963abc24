// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package io.hottub.it.harness;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;

/** Marks tests that run a HotTub home: only a build that was told to do without one skips them. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@DisabledIfSystemProperty(
    named = "hottub.jvm.skip",
    matches = "true",
    disabledReason = "built without a HotTub home (hottub.jvm.skip)")
public @interface NeedsHome {}
