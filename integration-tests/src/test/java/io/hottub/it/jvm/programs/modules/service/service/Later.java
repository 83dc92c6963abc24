// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
package service;

/** Is not loaded in every run. */
public class Later {}
