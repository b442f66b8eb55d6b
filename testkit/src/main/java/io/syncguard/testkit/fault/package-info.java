/** Stores that fail on purpose, and other decorations of a store. */
@NullMarked
package io.syncguard.testkit.fault;

import org.jspecify.annotations.NullMarked;
