/** The primitives of a store, on scripts. */
@NullMarked
package io.syncguard.jdbc.backend;

import org.jspecify.annotations.NullMarked;
