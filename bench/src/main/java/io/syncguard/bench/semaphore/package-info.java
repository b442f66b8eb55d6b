/** Long runs that prove what a semaphore promises. */
@NullMarked
package io.syncguard.bench.semaphore;

import org.jspecify.annotations.NullMarked;
