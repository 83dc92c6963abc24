// Copyright the HotTub authors. SPDX-License-Identifier: Apache-2.0
/**
 * HotTub inside the daemons of YARN: the classes whose names operators write in {@code
 * yarn-site.xml}, and the one that {@code hottub cluster} starts. {@link
 * io.hottub.yarn.HotTubAuxService} watches the pool; {@link io.hottub.yarn.HotTubContainerExecutor}
 * routes containers into it and turns their SIGKILL into a revoke. Both work without the other, and
 * neither ever keeps YARN from doing its work. {@link io.hottub.yarn.WarmNodePlacement} is for the
 * ResourceManager.
 *
 * <p>The packages below depend on each other in one direction only, the build checks it: {@code
 * config} on none, {@code pool} on that, then {@code recipes}, {@code metrics} and {@code cluster},
 * {@code containers} and {@code placement}.
 */
package io.hottub.yarn;
