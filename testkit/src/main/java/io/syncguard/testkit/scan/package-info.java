/** What a store's lists of what it holds must have on them, suite by suite. */
@NullMarked
package io.syncguard.testkit.scan;

import org.jspecify.annotations.NullMarked;
