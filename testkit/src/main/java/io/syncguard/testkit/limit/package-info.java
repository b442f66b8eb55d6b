/** What a store's counters and rate limiters must do, suite by suite. */
@NullMarked
package io.syncguard.testkit.limit;

import org.jspecify.annotations.NullMarked;
