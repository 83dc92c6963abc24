// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
/**
 * HotTub inside the NodeManager. {@link io.hottub.yarn.HotTubAuxService} watches the pool; {@link
 * io.hottub.yarn.HotTubContainerExecutor} routes containers into it and turns their SIGKILL into a
 * revoke. Both work without the other, and neither ever keeps YARN from doing its work. {@link
 * io.hottub.yarn.WarmNodePlacement} is for the ResourceManager.
 */
package io.hottub.yarn;
