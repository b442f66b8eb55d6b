/** The in-memory store. */
@NullMarked
package io.syncguard.bench.memory;

import org.jspecify.annotations.NullMarked;
