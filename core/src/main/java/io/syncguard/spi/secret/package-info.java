/** What a store does for one primitive: secret. */
@NullMarked
package io.syncguard.spi.secret;

import org.jspecify.annotations.NullMarked;
