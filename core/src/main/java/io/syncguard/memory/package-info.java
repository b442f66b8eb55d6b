/** The in-memory store behind {@code memory:}, for tests and for a single process. */
@NullMarked
package io.syncguard.memory;

import org.jspecify.annotations.NullMarked;
