/** Secrets that burn after so many views. */
@NullMarked
package io.syncguard.secret;

import org.jspecify.annotations.NullMarked;
