/** Benchmarks: what SyncGuard costs, measured. */
@NullMarked
package io.syncguard.bench;

import org.jspecify.annotations.NullMarked;
