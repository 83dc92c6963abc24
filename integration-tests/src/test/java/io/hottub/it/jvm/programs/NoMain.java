// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
public class NoMain {}
