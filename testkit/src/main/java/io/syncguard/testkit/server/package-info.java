/**
 * Real servers for tests: Redis alone, as a cluster and with sentinels, PostgreSQL, and a proxy
 * that fails on demand.
 */
@NullMarked
package io.syncguard.testkit.server;

import org.jspecify.annotations.NullMarked;
