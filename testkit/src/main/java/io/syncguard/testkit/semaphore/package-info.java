/** The contract of a store's semaphores, suite by suite. */
@NullMarked
package io.syncguard.testkit.semaphore;

import org.jspecify.annotations.NullMarked;
