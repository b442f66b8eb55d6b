/**
 * SyncGuard on Redis: standalone, Sentinel and Cluster, through Lettuce. What is below this package
 * is not for users.
 */
@NullMarked
package io.syncguard.redis;

import org.jspecify.annotations.NullMarked;
