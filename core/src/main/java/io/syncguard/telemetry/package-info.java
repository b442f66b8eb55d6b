/** Events for every operation on a store, for metrics and diagnosis. */
@NullMarked
package io.syncguard.telemetry;

import org.jspecify.annotations.NullMarked;
