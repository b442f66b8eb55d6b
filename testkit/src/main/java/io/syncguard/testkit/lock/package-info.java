/** The contract of locks, one suite a topic. */
@NullMarked
package io.syncguard.testkit.lock;

import org.jspecify.annotations.NullMarked;
