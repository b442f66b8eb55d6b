/** What a store's secrets must do, suite by suite. */
@NullMarked
package io.syncguard.testkit.secret;

import org.jspecify.annotations.NullMarked;
