/** Limited counters: at most so many times in a fixed window. */
@NullMarked
package io.syncguard.counter;

import org.jspecify.annotations.NullMarked;
