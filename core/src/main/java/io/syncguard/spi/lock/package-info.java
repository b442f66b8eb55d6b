/** What a store does for one primitive: lock. */
@NullMarked
package io.syncguard.spi.lock;

import org.jspecify.annotations.NullMarked;
