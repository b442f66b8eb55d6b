/** Stores that fail on purpose. */
@NullMarked
package io.syncguard.testkit.fault;

import org.jspecify.annotations.NullMarked;
