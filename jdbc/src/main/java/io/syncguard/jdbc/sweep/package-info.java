/** How what has expired is forgotten. */
@NullMarked
package io.syncguard.jdbc.sweep;

import org.jspecify.annotations.NullMarked;
