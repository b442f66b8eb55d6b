/** Several processes that contend for one lock and die while at it, and the history of it. */
@NullMarked
package io.syncguard.testkit.process;

import org.jspecify.annotations.NullMarked;
