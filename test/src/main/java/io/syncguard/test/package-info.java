/** For tests of applications: time that a test moves, and a JUnit extension. */
@NullMarked
package io.syncguard.test;

import org.jspecify.annotations.NullMarked;
