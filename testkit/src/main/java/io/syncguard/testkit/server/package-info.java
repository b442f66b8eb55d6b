/**
 * Real Redis servers for tests: one server, a cluster, a sentinel setup, and a proxy that fails on
 * demand.
 */
@NullMarked
package io.syncguard.testkit.server;

import org.jspecify.annotations.NullMarked;
