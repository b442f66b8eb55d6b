/** SyncGuard on Redis: standalone, Sentinel and Cluster, through Lettuce. */
@NullMarked
package io.syncguard.redis;

import org.jspecify.annotations.NullMarked;
