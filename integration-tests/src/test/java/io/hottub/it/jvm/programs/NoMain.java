// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
/** Has no main method. */
public class NoMain {}
