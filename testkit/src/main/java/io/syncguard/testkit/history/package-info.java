/** Records who held what when, and finds what must not have happened. */
@NullMarked
package io.syncguard.testkit.history;

import org.jspecify.annotations.NullMarked;
