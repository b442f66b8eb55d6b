/** What a store does for one primitive: limit. */
@NullMarked
package io.syncguard.spi.limit;

import org.jspecify.annotations.NullMarked;
